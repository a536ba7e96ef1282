"""Rows of tables that were looked up while a tape ran, and the gradients that arrive at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import events
from engine.dialects.tensorflow.eager.tensor import convert, run, running_tapes, wrap
from engine.dialects.tensorflow.indexed_slices import IndexedSlices, joined
from engine.dynamic import observe
from engine.dynamic.apply import edge_of
from engine.dynamic.nodes import AccumulateGrad, GradNode, split_edge


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """One ``tf.gather`` along the first axis: its gradient node, and the numbers of the rows."""

    node: GradNode
    indices: Any


def remember(table: Any, indices: Any, result: Any) -> None:
    """Tell the tapes that run that ``result`` is the rows of ``table`` with these numbers."""
    edge = getattr(result, "_grad_fn", None)
    if edge is None:
        return
    lookup = Lookup(split_edge(edge)[0], indices)
    for tape in running_tapes:
        tape.looked_up(getattr(table, "_home", lambda: table)(), lookup)


def slices(work: Any, table: Any, found: list[Lookup]) -> IndexedSlices | None:
    """The rows of a table's gradient, from what arrived at its lookups; ``None`` if nothing did."""
    shape = table._array.shape
    parts = []
    for one in found:
        value = work.captures[one.node, 0]
        if value is not None:
            rows = run("reshape", "Reshape", work.as_tensor(value), shape=(one.indices._array.size, *shape[1:]))
            indices = run("reshape", "Reshape", one.indices, shape=(one.indices._array.size,))
            parts.append(IndexedSlices(rows, indices, wrap(np.array(shape, np.int32))))
    if not parts:
        return None
    whole = joined(parts, lambda tensors, axis: run("concat", "ConcatV2", *tensors, axis=axis))
    listener = events.listener
    leaf = split_edge(edge_of(table))[0]
    if listener is not None and isinstance(leaf, AccumulateGrad):
        number = observe.accumulate_node(listener, leaf)
        dense = convert(whole)
        listener.gradient_accumulated(number, dense._array, False, storage=observe.storage_number(dense._storage))
    return whole
