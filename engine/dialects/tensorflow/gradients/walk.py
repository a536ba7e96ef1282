"""The walk of ``tf.gradients``: against the arrows, each op once all that reads it has sent its gradient."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import array_ops, creation, math_ops
from engine.dialects.tensorflow.array_ops import identity
from engine.dialects.tensorflow.build import convert, graph_of
from engine.dialects.tensorflow.gradients.parts import by_shape, sizes_of
from engine.dialects.tensorflow.gradients.registry import RULES, is_trainable
from engine.dialects.tensorflow.gradients.table import table_gradients
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.indexed_slices import IndexedSlices, joined
from engine.errors import DtypeError
from engine.ops import TABLE
from engine.static import Node
from engine.static import gradients as core_gradients
from engine.static.gradients import between, shown

_STOPS = frozenset({"StopGradient"})
_PASS_ROWS = frozenset({"Identity"})
"""Ops that hand on the gradient of a table as rows; to all others it is the whole tensor."""


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: Any = None,
    gate_gradients: Any = None,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = "none",
) -> list[Any]:
    """Tensors for the derivative of the sum of ``ys`` by each of ``xs``: ops are added to the graph."""
    targets = [convert(y) for y in (ys if isinstance(ys, list | tuple) else [ys])]
    sources = [_source(x) for x in (xs if isinstance(xs, list | tuple) else [xs])]
    stops = list(stop_gradients) if isinstance(stop_gradients, list | tuple) else [stop_gradients]
    stops = [_source(x).op for x in stops if x is not None]
    graph = graph_of([*targets, *sources])
    graph.check_open()
    given = list(grad_ys) if isinstance(grad_ys, list | tuple) else [grad_ys]
    given = given if grad_ys is not None else [None] * len(targets)
    if len(given) != len(targets):
        raise ValueError(f"Length mismatch. Passed {len(given)} grad_ys for {len(targets)} ys")
    with graph.as_default():
        if _through_regions(targets, sources):
            return _by_engine(graph, targets, sources, given, name)
        with graph.name_scope(name):
            seeds = _seeds(targets, given)
            walk = _Walk(graph, targets, sources, stops, gate_gradients not in (None, False, 0))
            found: list[Any] = walk.run(targets, seeds, sources)
            if str(getattr(unconnected_gradients, "value", unconnected_gradients)) == "zero":
                found = [creation.zeros_like(x) if g is None else g for g, x in zip(found, sources, strict=True)]
            return found


def _source(x: Any) -> Tensor:
    """The tensor by which to differentiate: a variable's is the variable itself, whichever read was used."""
    own = getattr(x, "_variable", None)
    return own if isinstance(own, Tensor) else convert(x)


def _through_regions(targets: Sequence[Tensor], sources: Sequence[Tensor]) -> bool:
    """Whether a decision or loop lies on the way: the engine differentiates those as a whole."""
    path = between([t._node for t in targets], [x._node for x in sources])
    return any(node.regions or node.region is not None or node.op == "output" for node in path)


def _by_engine(
    graph: Graph, targets: Sequence[Tensor], sources: Sequence[Tensor], given: Sequence[Any], name: str
) -> list[Tensor | None]:
    seeds: list[Node | None] = [
        None if g is None else convert(g, name=f"grad_ys_{i}")._node for i, g in enumerate(given)
    ]
    try:
        found = core_gradients([t._node for t in targets], [x._node for x in sources], seeds, name=name)
    except DtypeError:
        return [None] * len(sources)
    return [None if node is None else graph.tensor(node) for node in found]


def _seeds(targets: Sequence[Tensor], given: Sequence[Any]) -> list[Tensor]:
    """What arrives at each target: ones, or what the program says."""
    seeds = [
        None if g is None else convert(g, y.dtype.base_dtype if not isinstance(g, Tensor) else None, name=f"grad_y_{i}")
        for i, (g, y) in enumerate(zip(given, targets, strict=True))
    ]
    core = targets[0].graph.core
    found = []
    for i, (y, g) in enumerate(zip(targets, seeds, strict=True)):
        with core.on_behalf(mirrors=shown(y._node)), core.as_gradient():
            if g is not None:
                found.append(identity(g, name=f"grad_ys_{i}"))
                continue
            sizes = sizes_of(y)
            with y.graph.name_scope(f"grad_ys_{i}") as scope:
                one = creation.constant(np.ones((), y.dtype.base_dtype._numpy))
                filled = by_shape("broadcast_to", "Fill", one, y, [sizes, one], name=scope)
        for tensor in (sizes, one):
            core.set_serves(tensor._node, filled._node)
        found.append(filled)
    return found


class _Walk:
    """One call of ``tf.gradients``: which ops lie between, what has arrived, which are ready."""

    def __init__(
        self, graph: Graph, ys: Sequence[Tensor], xs: Sequence[Tensor], stops: Sequence[Operation], gated: bool
    ) -> None:
        self.graph, self.gated = graph, gated
        self.arrived: dict[Operation, list[Any]] = {}
        starts = {x.op for x in xs}
        reached = _reached([y.op for y in ys], starts)
        self.pending: dict[Operation, int] = dict.fromkeys(reached, 0)
        inside: list[Operation] = []
        waiting = deque(y.op for y in ys)
        left = set(reached)
        while waiting:
            op = waiting.popleft()
            if op in left:
                left.remove(op)
                inside.append(op)
                waiting.extend(t.op for t in op.inputs)
        for op in inside:
            for tensor in op.inputs:
                if tensor.op in self.pending:
                    self.pending[tensor.op] += 1
        self.stops = {op for op in starts if not any(self.pending.get(t.op, 0) > 0 for t in op.inputs)}
        self.stops.update(stops)

    def run(self, ys: Sequence[Tensor], seeds: Sequence[Tensor], xs: Sequence[Tensor]) -> list[Any]:
        for y, seed in zip(ys, seeds, strict=True):
            self._arrive(y, seed)
        ready = deque(op for op in dict.fromkeys(y.op for y in ys) if self.pending.get(op) == 0)
        while ready:
            op = ready.popleft()
            given = [self._total(op, place) for place in range(len(op.outputs))]
            if op in self.arrived:
                self.arrived[op] = given
            if op not in self.stops and any(g is not None for g in given):
                for tensor, g in zip(op.inputs, self._sent(op, given), strict=True):
                    if g is not None:
                        if not isinstance(g, IndexedSlices):
                            g.set_shape(tensor.shape)
                        self._arrive(tensor, g)
            for tensor in op.inputs:
                if tensor.op in self.pending:
                    self.pending[tensor.op] -= 1
                    if self.pending[tensor.op] == 0:
                        ready.append(tensor.op)
        return [self.arrived[x.op][x.value_index] if x.op in self.arrived else None for x in xs]

    def _arrive(self, tensor: Tensor, g: Any) -> None:
        places = self.arrived.setdefault(tensor.op, [[] for _ in tensor.op.outputs])
        if isinstance(places[tensor.value_index], list):
            places[tensor.value_index].append(g)

    def _total(self, op: Operation, place: int) -> Any:
        """The sum of what arrived at one output."""
        parts = self.arrived[op][place] if op in self.arrived else []
        if len(parts) < 2:
            return parts[0] if parts else None
        core = self.graph.core
        with core.on_behalf(mirrors=shown(op.outputs[place]._node)), core.as_gradient():
            if all(isinstance(g, IndexedSlices) for g in parts):
                return joined(parts, array_ops.concat)
            return math_ops.add_n([convert(g) for g in parts])

    def _sent(self, op: Operation, given: list[Any]) -> Sequence[Any]:
        """What the op sends to each of its inputs."""
        found = RULES.get(op.type)
        if found is None and (op.type in _STOPS or not _differentiable(op)):
            return [None] * len(op.inputs)
        core = self.graph.core
        with core.on_behalf(mirrors=shown(op._node)), core.as_gradient():
            if op.type not in _PASS_ROWS:
                given = [convert(g) if isinstance(g, IndexedSlices) else g for g in given]
            if found is None:
                return self._gate(op, table_gradients(op, given))
            before = len(core.nodes)
            full = [_zeros(t) if g is None and is_trainable(t) else g for t, g in zip(op.outputs, given, strict=True)]
            with self.graph.name_scope(f"{op.name}_grad"):
                sent = self._gated(list(found(op, *full)))
            _collapse(core.nodes[before:], [_values(g)._node for g in sent if g is not None])
            return sent

    def _gate(self, op: Operation, sent: list[Any]) -> list[Any]:
        if not self.gated or sum(g is not None for g in sent) < 2:
            return sent
        with self.graph.name_scope(f"{op.name}_grad/"):
            return self._gated(sent)

    def _gated(self, sent: list[Any]) -> list[Any]:
        """All gradients of one op behind a gate: each is there only when all are. The engine's values do not change, so
        the gate costs a run nothing."""
        there = [g for g in sent if g is not None]
        if not self.gated or len(there) < 2:
            return sent
        core = self.graph.core
        with self.graph.name_scope("tuple"):
            waits = self.graph.operation(
                core.add(
                    "group", control=[_values(g)._node for g in there], name="group_deps", label="NoOp", role="control"
                )
            )
            core.set_serves(waits._node, shown(_values(there[0])._node))
            found: list[Any] = []
            for g in sent:
                if g is None:
                    found.append(None)
                    continue
                own = _values(g)
                held = self.graph.tensor(core.add("identity", [own._node], name="control_dependency", label="Identity"))
                core.set_serves(held._node, shown(own._node))
                held.op._inputs, held.op._waits = [own], [waits]
                found.append(held if own is g else IndexedSlices(held, g.indices, g.dense_shape))
        return found


def _values(g: Any) -> Tensor:
    """The tensor with the numbers of a gradient."""
    return g.values if isinstance(g, IndexedSlices) else g  # type: ignore[no-any-return]


def _differentiable(op: Operation) -> bool:
    return bool(op.outputs) and TABLE[op.outputs[0]._node.op].differentiable


def _zeros(tensor: Tensor) -> Tensor:
    return creation.zeros_like(tensor, optimize=False)


def _reached(ends: Sequence[Operation], starts: set[Operation]) -> set[Operation]:
    """The ops before ``ends`` to which a path of values that have gradients leads from ``starts``."""
    above: dict[Operation, None] = {}
    waiting = list(ends)
    while waiting:
        op = waiting.pop()
        if op not in above:
            above[op] = None
            waiting.extend(t.op for t in op.inputs)
    found: set[Operation] = set()
    for op in sorted(above, key=lambda one: one._node.order):
        if op in starts or any(t.op in found and is_trainable(t) for t in op.inputs):
            found.add(op)
    return found


_TRIVIAL = frozenset({"Identity", "ZerosLike", "Reshape", "ExpandDims", "Squeeze", "NoOp"})


def _collapse(made: Sequence[Node], results: Sequence[Node]) -> None:
    """What only says shapes and waits is plumbing of the ops that compute: it is shown under them."""
    own = set(made)
    working = [n for n in made if n.serves is None and n.label not in _TRIVIAL and _computes(n)]
    if not working:
        working = [n for n in results if n in own and n.serves is None][:1]
    if not working:
        return
    for node in made:
        if node.serves is None and node not in working:
            source = next((n for n, _ in node.inputs if n in own), None)
            node.graph.set_serves(node, shown(source) if source is not None and _computes(node) else working[-1])


def _computes(node: Node) -> bool:
    return node.type is not None and node.type.dtype.kind in "fc" and node.op != "constant"
