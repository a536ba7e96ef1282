"""Copying a part of a graph, into the same graph or another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.static.editor.operations import placeholder_for
from engine.static.editor.views import SubGraph, as_view, check_graphs, sgv
from engine.static.graph import Graph
from engine.static.node import Node
from engine.static.replicating import Replica, with_regions


@dataclass(frozen=True)
class Copied:
    """``of[original]`` is the copy of a node; ``placeholders`` stand for what the part read from another graph."""

    of: Mapping[Node, Node]
    placeholders: tuple[Node, ...] = ()

    def transformed(self, original: Node) -> Node | None:
        """The copy of ``original``, or ``None``."""
        return self.of.get(original)


def copy(part: Any, graph: Graph | None = None, *, dst_scope: str = "", src_scope: str = "") -> tuple[SubGraph, Copied]:
    """A copy of ``part`` in ``graph`` (default: its own), its names below ``dst_scope`` (without ``src_scope``).

    In the same graph the copy reads what the original reads; in another one placeholders ``geph__...`` stand for that.
    Variables are copied as variables of their own.

    >>> from engine.static import Graph, Session
    >>> g, other = Graph(), Graph()
    >>> x = g.placeholder((), name="x")
    >>> y = g.apply("neg", g.apply("exp", x, name="e"), name="y")
    >>> view, copied = copy(sgv(y, g.find("e")), other, dst_scope="again")
    >>> [node.name for node in view], copied.placeholders[0].name
    (['again/e', 'again/y'], 'again/geph__x_0')

    A decision or loop comes with all that lies in it. What lies in one is copied beside the original; without its owner
    it comes to another graph as ordinary nodes.

    :raises GraphError: a loop variable without its loop; the other graph is finalized.
    """
    return copy_with_input_replacements(part, {}, graph, dst_scope=dst_scope, src_scope=src_scope)


def copy_with_input_replacements(
    part: Any,
    replacements: Mapping[Node, Node],
    graph: Graph | None = None,
    *,
    dst_scope: str = "",
    src_scope: str = "",
) -> tuple[SubGraph, Copied]:
    """:func:`copy`, in which each value that ``replacements`` names is read from another node.

    :raises GraphError: as :func:`copy`, or a replacement of another graph.
    """
    view = as_view(part)
    target = graph or view.graph
    check_graphs(view.graph, *replacements)
    check_graphs(target, *replacements.values())
    nodes = with_regions(view.nodes)
    doors: dict[Node, Node] = {}
    inside = src_scope.rstrip("/") + "/" if src_scope else ""
    with target.control_dependencies(None), target.scope(dst_scope or None) as scope:
        replica = Replica(target, nodes, lambda node: node.name.removeprefix(inside) if inside else node.name)
        made = replica.made

        def stand_in(read: Node) -> Node:
            if read in replacements:
                return replacements[read]
            if read in made:
                return made[read]
            if target is view.graph:
                return read
            if read not in doors:
                # A placeholder lies outside of everything.
                doors[read] = placeholder_for(read, target, scope.rstrip("/"))
            return doors[read]

        def beside(other: Node | None) -> Node | None:
            if other is None or other in made:
                return None if other is None else made[other]
            return other if target is view.graph else None

        for node in nodes:
            control = [made.get(c, c) for c in node.control if c in made or target is view.graph]
            replica.add(node, stand_in, control, mirrors=beside(node.mirrors), serves=beside(node.serves))
    for node, twin in made.items():
        for key in ("variables", "initializers"):
            if node in view.graph.collections.get(key, ()):
                target.collect(key, twin)
    return sgv(*made.values()), Copied(made, tuple(doors.values()))
