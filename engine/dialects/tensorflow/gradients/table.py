"""Ops without a rule here: their gradient by the engine's table, through the nodes that stand behind the op."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dialects.tensorflow.build import hide
from engine.dialects.tensorflow.gradients.parts import lowered
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.static import Node
from engine.static.gradients import Backward
from engine.static.reaching import Reach


def table_gradients(op: Operation, given: Sequence[Tensor | None]) -> list[Tensor | None]:
    """One gradient for each input of ``op``, ``None`` where there is none."""
    stops = {tensor._node for tensor in op.inputs}
    between, waiting = set[Node](), [tensor._node for tensor in op.outputs]
    while waiting:
        node = waiting.pop()
        if node not in between and node not in stops:
            between.add(node)
            waiting.extend(source for source, _ in node.inputs)
    path = set(stops)
    for node in sorted(between, key=lambda one: one.order):
        if any(source in path for source, _ in node.inputs):
            path.add(node)
    backward = Backward(op.graph.core, path, Reach())
    for tensor, g in zip(op.outputs, given, strict=True):
        if g is not None:
            backward.arrive(tensor._node, g._node)
    backward.run(path & between)
    totals = [backward.total(tensor._node) for tensor in op.inputs]
    return [None if node is None else op.graph.tensor(node) for node in totals]


def named(
    op: Operation, given: Sequence[Tensor | None], names: Sequence[tuple[str, Sequence[Tensor]] | None]
) -> list[Tensor | None]:
    """As :func:`table_gradients`, but each result is one op of the type (and with the inputs) that ``names`` says:
    the engine's nodes behind it are not listed."""
    core = op.graph.core
    before = len(core.nodes)
    with core.scope("parts"):
        found = table_gradients(op, given)
    behind = core.nodes[before:]
    results: list[Tensor | None] = []
    for tensor, name in zip(found, names, strict=True):
        if tensor is None or name is None:
            results.append(None)
            continue
        result = lowered("identity", name[0], [tensor], shown=name[1])
        hide(op.graph, [node for node in behind if node not in op.graph.hidden], result._node)
        results.append(result)
    return results
