"""Gradients of tables of which a traced function looks up rows: those rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import array_ops, creation
from engine.dialects.tensorflow.indexed_slices import IndexedSlices, joined
from engine.static import Node
from engine.static.gradients import between

_LOOKUPS = frozenset({"tf_gather", "tf_take"})


def lookups_in(targets: Sequence[Node], sources: Mapping[int, Node]) -> dict[int, list[Node]]:
    """For each source that is used on the way to ``targets`` by nothing but lookups of rows: those lookups."""
    found: dict[int, list[Node]] = {}
    for place, source in sources.items():
        path = between(targets, [source])
        if any(node.regions or node.region is not source.region for node in path):
            continue
        same = {source, *(n for n in path if n.label == "ReadVariableOp" and n.inputs[0][0] is source)}
        users = [n for n in path if n not in same and any(x in same for x, _ in n.inputs)]
        if users and not same & set(targets) and all(_is_lookup(n, same) for n in users):
            found[place] = sorted(users, key=lambda n: n.order)
    return found


def _is_lookup(node: Node, table: set[Node]) -> bool:
    first, *others = (x for x, _ in node.inputs)
    return node.op in _LOOKUPS and node.attributes.get("axis", 0) == 0 and first in table and not table & set(others)


def slices(graph: Any, source: Node, found: Sequence[Node], arrived: Mapping[Node, Any]) -> IndexedSlices | None:
    """The rows of the gradient, from what arrived at the lookups."""
    shape = source.shape or ()
    parts = []
    for node in found:
        g = arrived.get(node)
        if g is not None:
            rows = array_ops.reshape(g, [-1, *(n or 0 for n in shape[1:])])
            indices = array_ops.reshape(graph.tensor(node.inputs[1][0]), [-1])
            parts.append(IndexedSlices(rows, indices, creation.constant(np.array(shape, np.int32))))
    return joined(parts, array_ops.concat) if parts else None
