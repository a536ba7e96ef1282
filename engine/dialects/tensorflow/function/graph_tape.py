"""``tf.GradientTape`` while a function is traced: gradients become nodes of its graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.eager.tape import _flat, _like
from engine.dialects.tensorflow.eager.tensor import Valued
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.function.table_gradients import lookups_in, slices
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.errors import DtypeError
from engine.static import Node, gradients

_USED = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"


class GraphTape:
    """Knows which nodes were made while it ran, and which tensors it follows."""

    __module__ = "tensorflow.python.eager.backprop"

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent, self._automatic = persistent, watch_accessed_variables
        self._graph: Any = get_default_graph()
        self._watched: dict[int, Any] = {}
        self._spans: list[list[int]] = []
        self._running = self._used = False

    # -- recording ---------------------------------------------------------------------------------------------------
    def __enter__(self) -> GraphTape:
        if self._running:
            raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        if self._running:
            self._close()

    def _open(self) -> None:
        self._running = True
        self._spans.append([len(self._graph.core.nodes), -1])

    def _close(self) -> None:
        self._running = False
        self._spans[-1][1] = len(self._graph.core.nodes)

    def watch(self, tensor: Any) -> None:
        """Follow a tensor that is no trainable variable."""
        for one in _flat(tensor):
            if not isinstance(one, Tensor | Valued):
                raise ValueError(
                    f"Passed in object {one} of type '{type(one).__name__}', not tf.Tensor or tf.Variable or "
                    "ExtensionType."
                )
            self._watched[id(one)] = one

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Nothing is recorded inside this block."""
        if not self._running:
            raise RuntimeError("Tape is not active")
        self._close()
        try:
            yield
        finally:
            self._open()

    def reset(self) -> None:
        """Forget everything so far."""
        self._spans = [[len(self._graph.core.nodes), -1]] if self._running else []
        self._watched.clear()

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that were read while it ran."""
        read = {
            node.inputs[0][0] for node in self._graph.core.nodes if node.label == "ReadVariableOp" and self._owns(node)
        }
        found = [c.value for c in self._graph.captures.values() if c.node in read and c.value._trainable]
        return tuple(found if self._automatic else [v for v in found if id(v) in self._watched])

    def _owns(self, node: Node) -> bool:
        return any(start <= node.index and (end < 0 or node.index < end) for start, end in self._spans)

    # -- gradients ---------------------------------------------------------------------------------------------------
    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = "none"
    ) -> Any:
        """The gradients of ``target`` for ``sources``, in their structure."""
        self._use()
        wanted = list(_flat(sources))
        targets = [convert(x) for x in _flat(target) if x is not None]
        given = (
            None if output_gradients is None else [None if g is None else convert(g) for g in _flat(output_gradients)]
        )
        found = self._gradients(targets, wanted, given, rows=True)
        if unconnected_gradients == "zero":
            found = [
                convert(np.zeros(tuple(x.shape), x.dtype.base_dtype._numpy)) if g is None else g
                for g, x in zip(found, wanted, strict=True)
            ]
        return _like(sources, iter(found))

    def _use(self) -> None:
        if self._used:
            raise RuntimeError(_USED)
        if self._running and not self._persistent:
            self._close()
        self._used = not self._persistent

    def _gradients(
        self, targets: list[Any], wanted: list[Any], given: list[Any] | None, rows: bool = False
    ) -> list[Any]:
        """With ``rows`` the gradient of a table of which only rows were looked up is those rows."""
        graph = self._graph
        sources: dict[int, Node] = {}
        for place, one in enumerate(wanted):
            node = self._followed(one)
            if node is not None:
                sources[place] = node
        live = [i for i, t in enumerate(targets) if t.dtype.base_dtype._numpy.kind in "fc"]
        if not sources or not live:
            return [None] * len(wanted)
        seeds = None if given is None else [None if given[i] is None else given[i]._node for i in live]
        ends = [targets[i]._node for i in live]
        tables = lookups_in(ends, sources) if rows else {}
        starts = [node for place, node in sources.items() if place not in tables]
        looked_up = [one for found in tables.values() for one in found]
        with graph.as_default():
            try:
                found = gradients(ends, starts + looked_up, seeds, name="gradient_tape")
            except DtypeError:
                return [None] * len(wanted)
            arrived = {
                node: graph.tensor(g) for node, g in zip(starts + looked_up, found, strict=True) if g is not None
            }
            return [
                slices(graph, sources[place], tables[place], arrived)
                if place in tables
                else arrived.get(sources[place])
                if place in sources
                else None
                for place in range(len(wanted))
            ]

    def _followed(self, one: Any) -> Node | None:
        """The node of a source that the tape follows."""
        if isinstance(one, ResourceVariable):
            capture = self._graph.captures.get(id(one._home()))
            follows = (self._automatic and one._trainable) or id(one) in self._watched
            return capture.node if capture is not None and follows else None
        if isinstance(one, Valued):
            capture = self._graph.captures.get(id(one))
            return capture.node if capture is not None and id(one) in self._watched else None
        if not isinstance(one, Tensor):
            raise AttributeError(f"'{type(one).__name__}' object has no attribute 'dtype'")
        if id(one) in self._watched or self._owns(one._node):
            return one._node
        return None

    def jacobian(self, target: Any, sources: Any, unconnected_gradients: Any = "none", **_: Any) -> Any:
        """The gradient of every element of ``target``.

        :raises ValueError: its size is not known while the function is traced.
        """
        from engine.dialects.tensorflow.array_ops import reshape, stack

        self._use()
        tensor = convert(target)
        if not tensor.shape.is_fully_defined():
            raise ValueError(
                f"the jacobian of {tensor} needs its shape, which is not known while the function is traced"
            )
        shape = tensor.shape.as_list()
        size = int(np.prod([n or 0 for n in shape]))
        flat = reshape(tensor, [size])
        wanted = list(_flat(sources))
        rows = [self._gradients([flat[i]], wanted, None) for i in range(size)]
        results: list[Any] = []
        for place, one in enumerate(wanted):
            column = [row[place] for row in rows]
            if all(part is None for part in column):
                results.append(None)
                continue
            zero = np.zeros(tuple(one.shape), one.dtype.base_dtype._numpy)
            whole = stack([zero if part is None else part for part in column])
            results.append(reshape(whole, [*shape, *tuple(one.shape)]))
        return _like(sources, iter(results))
