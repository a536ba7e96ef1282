"""Gradients as nodes: the table's gradient functions, run by the graph's interpreter, make the backward graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, GraphError
from engine.ops import TABLE
from engine.ops.registry import Gradient, Op
from engine.static.graph import Graph
from engine.static.interpreter import Interpreter, shape_token
from engine.static.node import Node


def gradients(
    ys: Node | Sequence[Node],
    xs: Sequence[Node],
    seeds: Sequence[Node | None] | None = None,
    *,
    name: str = "gradients",
) -> list[Node | None]:
    """Nodes for the derivative of the sum of ``ys`` by each of ``xs``; ``None`` where ``ys`` does not depend on it.

    ``seeds`` are the gradients that arrive at each of ``ys`` (default: ones). The new nodes can be differentiated
    again.

    >>> from engine.static import Graph, Session
    >>> g = Graph()
    >>> x = g.placeholder((), name="x")
    >>> dx, = gradients(x * x, [x])
    >>> print(Session(g).run(dx, {x: 3.0}))
    6.0

    :raises GraphError: nodes of different graphs.
    :raises DtypeError: one of ``ys`` is not a floating-point value.
    """
    targets = [ys] if isinstance(ys, Node) else list(ys)
    graph = targets[0].graph
    for node in (*targets, *xs):
        if node.graph is not graph:
            raise GraphError(f"{node.name!r} belongs to another graph than {targets[0].name!r}")
    F = Interpreter(graph)
    arrived: dict[Node, list[Node]] = {}
    between = _between(targets, xs)
    with graph.scope(name):
        for i, target in enumerate(targets):
            seed = seeds[i] if seeds is not None else None
            arrived.setdefault(target, []).append(_ones(graph, target, i) if seed is None else seed)
        for node in sorted(between, key=lambda n: n.index, reverse=True):
            if node not in arrived:
                continue
            g = _total(F, node, arrived)
            if g is not None and any(source in between for source, _ in node.inputs):
                _send_back(F, node, g, arrived, between)
        return [_total(F, x, arrived) if x in arrived else None for x in xs]


def _between(targets: Sequence[Node], xs: Sequence[Node]) -> set[Node]:
    """The nodes on some path from ``xs`` to ``targets``."""
    above: set[Node] = set()
    waiting = list(targets)
    while waiting:
        node = waiting.pop()
        if node not in above:
            above.add(node)
            waiting.extend(n for n, _ in node.inputs)
    found: set[Node] = set()
    starts = set(xs)
    for node in sorted(above, key=lambda n: n.index):
        if node in starts or any(n in found for n, _ in node.inputs):
            found.add(node)
    return found


def _ones(graph: Graph, target: Node, place: int) -> Node:
    if target.type is None or target.type.dtype.kind not in "fc":
        kind = "no result" if target.type is None else f"dtype {target.type.dtype}"
        raise DtypeError(
            f"cannot differentiate {target.name!r}: it has {kind}, and only floating-point values have gradients"
        )
    one = np.ones((), target.type.dtype)
    if target.type.shape == ():
        return graph.constant(one, name=f"grad_ys_{place}", role="gradient", mirrors=target)
    with graph.on_behalf(mirrors=target), graph.as_gradient():
        if target.type.is_known:
            return graph.apply("broadcast_to", one, target.type.shape, name=f"grad_ys_{place}")
        return graph.apply("ones_like", target, name=f"grad_ys_{place}")


def _total(F: Interpreter, node: Node, arrived: dict[Node, list[Node]]) -> Node | None:
    """The sum of what arrived at ``node``; kept, so that it is built once."""
    parts = arrived[node]
    if len(parts) > 1:
        with F.graph.on_behalf(mirrors=_shown(node)), F.graph.as_gradient():
            total = parts[0]
            for part in parts[1:]:
                total = F.add(total, part)
        arrived[node] = [total]
    return arrived[node][0]


def _shown(node: Node) -> Node:
    """The op that stands in the picture for ``node``: itself, or the one whose plumbing it is."""
    while node.serves is not None:
        node = node.serves
    return node


def _send_back(F: Interpreter, node: Node, g: Node, arrived: dict[Node, list[Node]], between: set[Node]) -> None:
    op = TABLE[node.op]
    if not op.differentiable:
        return
    with F.graph.scope(f"{node.name}_grad"), F.graph.on_behalf(mirrors=_shown(node)), F.graph.as_gradient():
        for place, (source, _) in enumerate(node.inputs):
            gradient = op.gradients.get(op.inputs[0] if op.variadic else op.inputs[place])
            if gradient is None or source not in between or source.type is None or source.type.dtype.kind not in "fc":
                continue
            sent = gradient.function(F, g, *_needs(op, gradient, node, place))
            if sent is None:
                continue
            if op.elementwise:
                sent = F.sum_back(sent, source)
            arrived.setdefault(source, []).append(sent)


def _needs(op: Op, gradient: Gradient, node: Node, place: int) -> list[Any]:
    return [_need(op, name, node, place) for name in gradient.needs]


def _need(op: Op, name: str, node: Node, place: int) -> Any:
    sources = [source for source, _ in node.inputs]
    if name == "out":
        return node
    if name == "index" and op.variadic:
        return place
    if op.variadic:
        if name == op.inputs[0]:
            return tuple(sources)
        if name == f"{op.inputs[0]}_shapes":
            return tuple(shape_token(source) for source in sources)
    elif name in op.inputs:
        return sources[op.inputs.index(name)]
    base, _, kind = name.rpartition("_")
    source = node if base == "out" else sources[op.inputs.index(base)] if base in op.inputs else None
    if kind == "shape" and source is not None:
        return shape_token(source)
    if kind == "dtype" and source is not None and source.type is not None:
        return source.type.dtype
    return node.attributes[name] if name in node.attributes else op.attributes[name]
