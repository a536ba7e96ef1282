"""Gradients as nodes: the table's gradient functions, run by the graph's interpreter, make the backward graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, GraphError
from engine.ops import TABLE
from engine.ops.registry import Gradient, Op
from engine.static.graph import Graph
from engine.static.interpreter import Interpreter, shape_token
from engine.static.needs import Label
from engine.static.node import Node
from engine.static.reaching import Reach
from engine.static.regions import Region


def gradients(
    ys: Node | Sequence[Node],
    xs: Sequence[Node],
    seeds: Sequence[Node | None] | None = None,
    *,
    name: str = "gradients",
) -> list[Node | None]:
    """Nodes for the derivative of the sum of ``ys`` by each of ``xs``; ``None`` where ``ys`` does not depend on it.

    ``seeds`` are the gradients that arrive at each of ``ys`` (default: ones). The new nodes can be differentiated
    again. Decisions and loops are differentiated too: the gradient of a decision is a decision, that of a loop is a
    loop that runs backwards over what the iterations have saved.

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
            raised = GraphError(
                f"gradients: {node.name!r} belongs to another graph than {targets[0].name!r}; build both in one graph"
            )
            raised.node = node
            raise raised
    backward = Backward(graph, between(targets, xs), Reach())
    with graph.scope(name):
        for i, target in enumerate(targets):
            seed = seeds[i] if seeds is not None else None
            backward.arrive(target, _ones(graph, target, i) if seed is None else seed)
        backward.run()
        return [backward.total(x) for x in xs]


def between(targets: Iterable[Node], xs: Iterable[Node], region: Region | None = None) -> set[Node]:
    """The nodes on some path from ``xs`` to ``targets``; with ``region`` on paths that stay inside it."""
    above: set[Node] = set()
    waiting = list(targets)
    while waiting:
        node = waiting.pop()
        if node not in above:
            above.add(node)
            if region is None or node.region is region:
                waiting.extend(n for n, _ in node.inputs)
    found: set[Node] = set()
    starts = set(xs)
    for node in sorted(above, key=lambda n: n.order):
        if node in starts or ((region is None or node.region is region) and any(n in found for n, _ in node.inputs)):
            found.add(node)
    return found


class Backward:
    """One walk against the arrows, over the nodes ``on_path``. ``reach`` gives, for a node of the forward graph, a node
    with its value where the gradient is being built. With ``region`` the walk ends where the region does."""

    def __init__(self, graph: Graph, on_path: set[Node], reach: Reach, region: Region | None = None) -> None:
        self.graph = graph
        self.F = Interpreter(graph)
        self.on_path = on_path
        self.reach = reach
        self.region = region
        self._arrived: dict[Node, list[Node]] = {}
        self._picked: dict[Node, dict[Label, Node]] = {}

    def arrive(self, node: Node, g: Node) -> None:
        """``g`` is (part of) the gradient of ``node``."""
        self._arrived.setdefault(node, []).append(g)

    def send(self, node: Node, g: Node) -> None:
        """Like :meth:`arrive`, if ``node`` is on the path."""
        if node in self.on_path:
            self.arrive(node, g)

    def wants(self, node: Node) -> bool:
        """Whether a gradient of ``node`` is of use."""
        return node in self.on_path and is_differentiable(node)

    def run(self, only: Iterable[Node] | None = None) -> None:
        """Send gradients back from what they have arrived at (``only``: from these nodes and no others)."""
        inside = self.on_path if only is None else only
        if self.region is not None:
            inside = [n for n in inside if n.region is self.region]
        for node in sorted(inside, key=lambda n: n.order, reverse=True):
            if node.regions:
                given = self._picked.pop(node, None)
                if given:
                    self._control(node, given)
            elif node in self._arrived:
                g = self.total(node)
                if g is None or not any(source in self.on_path for source, _ in node.inputs):
                    continue
                if node.op == "output":
                    label = (node.attributes["kind"], node.attributes["index"])
                    self._picked.setdefault(node.inputs[0][0], {})[label] = g
                else:
                    self._send_back(node, g)

    def total(self, node: Node) -> Node | None:
        """The sum of what arrived at ``node``; kept, so that it is built once."""
        parts = self._arrived.get(node)
        if parts is None:
            return None
        if len(parts) > 1:
            with self.graph.on_behalf(mirrors=shown(node)), self.graph.as_gradient():
                parts[:] = [self._sum(parts)]
        return parts[0]

    def _sum(self, parts: Sequence[Node]) -> Node:
        """Gradients added up, under the dialect's name for that if it has one."""
        word = self.graph.labels.get("add_n", "")
        if word and len(parts) > 2:
            return self.F.add_n(*parts)  # type: ignore[no-any-return]
        total = parts[0]
        for part in parts[1:]:
            total = self.graph.apply("add", total, part, name=word, label=word)
        return total

    def _control(self, node: Node, given: dict[Label, Node]) -> None:
        from engine.static.control_gradients import cond_gradient, loop_gradient

        graph = self.graph
        with graph.scope(f"{local_name(node)}_grad"), graph.on_behalf(mirrors=shown(node)), graph.as_gradient():
            (cond_gradient if node.op == "cond" else loop_gradient)(self, node, given)

    def _send_back(self, node: Node, g: Node) -> None:
        op, graph, F = TABLE[node.op], self.graph, self.F
        if not op.differentiable:
            return
        with graph.scope(f"{local_name(node)}_grad"), graph.on_behalf(mirrors=shown(node)), graph.as_gradient():
            for place, (source, _) in enumerate(node.inputs):
                gradient = op.gradients.get(op.inputs[0] if op.variadic else op.inputs[place])
                if gradient is None or not self.wants(source):
                    continue
                sent = gradient.function(F, g, *self._needs(op, gradient, node, place))
                if sent is None:
                    continue
                if op.elementwise:
                    sent = F.sum_back(sent, self._shaped(source))
                self.arrive(source, sent)

    def _shaped(self, node: Node) -> Node:
        """A node to take the shape of ``node`` from: if that is known, the node itself will do wherever it lies."""
        return node if node.type is not None and node.type.is_known else self.reach(node)

    def _needs(self, op: Op, gradient: Gradient, node: Node, place: int) -> list[Any]:
        return [self._need(op, name, node, place) for name in gradient.needs]

    def _need(self, op: Op, name: str, node: Node, place: int) -> Any:
        sources = [source for source, _ in node.inputs]
        if name == "out":
            return self.reach(node)
        if name == "index" and op.variadic:
            return place
        if op.variadic:
            if name == op.inputs[0]:
                return tuple(self.reach(source) for source in sources)
            if name == f"{op.inputs[0]}_shapes":
                return tuple(shape_token(self._shaped(source)) for source in sources)
        elif name in op.inputs:
            return self.reach(sources[op.inputs.index(name)])
        base, _, kind = name.rpartition("_")
        source = node if base == "out" else sources[op.inputs.index(base)] if base in op.inputs else None
        if kind == "shape" and source is not None:
            return shape_token(self._shaped(source))
        if kind == "dtype" and source is not None and source.type is not None:
            return source.type.dtype
        return node.attributes[name] if name in node.attributes else op.attributes[name]


def local_name(node: Node) -> str:
    """The name of ``node`` inside its region: the gradient of the region lies in a scope that says the rest."""
    if node.region is None:
        return node.name
    for prefix in (f"{node.region.scope}/{node.region.name}/", f"{node.region.scope}/"):
        if node.name.startswith(prefix):
            return node.name[len(prefix) :]
    return node.name


def is_differentiable(node: Node) -> bool:
    """Whether ``node`` has a value that gradients exist for."""
    return node.type is not None and node.type.dtype.kind in "fc"


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


def shown(node: Node) -> Node:
    """The op that stands in the picture for ``node``: itself, or the one whose plumbing it is."""
    while node.serves is not None:
        node = node.serves
    return node
