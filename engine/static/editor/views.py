"""Views of a part of a graph: the nodes inside, what they read from outside, what outside reads of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.errors import GraphError
from engine.static.graph import Graph
from engine.static.node import Node


@dataclass(frozen=True)
class SubGraph:
    """``nodes`` in the graph's order; ``inputs`` are nodes outside that they read, in the order in which they do;
    ``outputs`` the nodes inside that something outside reads, or that nobody reads.

    A view is a picture of a moment: an edit does not change it, make a new one.
    """

    graph: Graph
    nodes: tuple[Node, ...]
    inputs: tuple[Node, ...]
    outputs: tuple[Node, ...]

    def __contains__(self, node: object) -> bool:
        return node in self.nodes

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def remap_inputs(self, order: Iterable[int]) -> SubGraph:
        """The same view with its inputs in another order (each index at most once; what is left out is no input any
        more)."""
        return SubGraph(self.graph, self.nodes, _picked(self.inputs, order, "input"), self.outputs)

    def remap_outputs(self, order: Iterable[int]) -> SubGraph:
        """The same view with its outputs in another order."""
        return SubGraph(self.graph, self.nodes, self.inputs, _picked(self.outputs, order, "output"))

    def __repr__(self) -> str:
        def names(nodes: tuple[Node, ...]) -> str:
            return ", ".join(node.name for node in nodes) or "none"

        return f"<view of {len(self.nodes)} nodes: inputs {names(self.inputs)}; outputs {names(self.outputs)}>"


def _picked(nodes: tuple[Node, ...], order: Iterable[int], word: str) -> tuple[Node, ...]:
    chosen = list(order)
    if len(set(chosen)) < len(chosen) or any(not 0 <= index < len(nodes) for index in chosen):
        raise GraphError(f"{chosen} must name each {word} at most once; there are {len(nodes)}, counted from 0")
    return tuple(nodes[index] for index in chosen)


def sgv(*parts: Any, graph: Graph | None = None) -> SubGraph:
    """A view of nodes, of lists of nodes, or of what regular expressions (text; with ``graph``) find in full names.

    >>> from engine.static import Graph
    >>> g = Graph()
    >>> x = g.placeholder((), name="x")
    >>> y = g.apply("neg", g.apply("exp", x, name="e"), name="y")
    >>> sgv("e|y", graph=g)
    <view of 2 nodes: inputs x; outputs y>

    :raises GraphError: nodes of several graphs, no node at all, or a pattern without ``graph``.
    """
    chosen: dict[Node, None] = {}
    for part in _flat(parts):
        if isinstance(part, str):
            if graph is None:
                raise GraphError(f"in which graph does {part!r} select nodes? give graph=...")
            chosen.update(dict.fromkeys(select_ops(part, graph=graph)))
        else:
            chosen[part] = None
    if not chosen:
        raise GraphError("a view needs at least one node, and nothing was selected")
    home = graph or next(iter(chosen)).graph
    check_graphs(home, *chosen)
    return _view(home, chosen)


def sgv_scope(scope: str, graph: Graph) -> SubGraph:
    """A view of everything in a name scope.

    :raises GraphError: there is no such scope.
    """
    inside = scope.rstrip("/") + "/"
    found = [node for node in graph.nodes if node.name.startswith(inside)]
    if not found:
        raise GraphError(f"there is no node in a scope {scope!r}")
    return _view(graph, dict.fromkeys(found))


def select_ops(*patterns: str, graph: Graph) -> list[Node]:
    """The nodes whose names one of the regular expressions describes in full.

    :raises GraphError: a pattern is no regular expression.
    """
    try:
        compiled = [re.compile(pattern) for pattern in patterns]
    except re.error as error:
        raise GraphError(f"{error.pattern!r} is no regular expression: {error}") from None
    return [node for node in graph.nodes if any(one.fullmatch(node.name) for one in compiled)]


def as_view(given: Any) -> SubGraph:
    """``given`` itself if it is a view, else one of it."""
    return given if isinstance(given, SubGraph) else sgv(given)


def check_graphs(graph: Graph, *given: Any) -> None:
    """Everything belongs to ``graph``.

    :raises GraphError: ``Argument[i]: Wrong graph!``
    """
    for index, one in enumerate(given):
        if not isinstance(one, Node | SubGraph):
            raise GraphError(f"Argument[{index}]: {type(one).__name__} is no node of a graph")
        if one.graph is not graph:
            what = f"{one.name!r} belongs" if isinstance(one, Node) else "the view belongs"
            raise GraphError(f"Argument[{index}]: Wrong graph! {what} to another graph")


def _view(graph: Graph, chosen: dict[Node, None]) -> SubGraph:
    nodes = sorted(chosen, key=lambda node: node.order)
    inputs = dict.fromkeys(read for node in nodes for read, _ in node.inputs if read not in chosen)
    inside: set[Node] = set()
    outside: set[Node] = set()
    for node in graph.nodes:
        (inside if node in chosen else outside).update(read for read, _ in node.inputs)
    outputs = [node for node in nodes if node.type is not None and (node in outside or node not in inside)]
    return SubGraph(graph, tuple(nodes), tuple(inputs), tuple(outputs))


def _flat(parts: Iterable[Any]) -> Iterator[Any]:
    for part in parts:
        if isinstance(part, SubGraph):
            yield from part.nodes
        elif isinstance(part, list | tuple | set | frozenset):
            yield from _flat(part)
        else:
            yield part
