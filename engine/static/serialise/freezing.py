"""Frozen graphs: what some outputs need, with variables turned into constants. Nothing is left to initialise."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import GraphError
from engine.static.graph import Graph
from engine.static.node import Node
from engine.static.replicating import Replica
from engine.static.session import Session


def freeze(session: Session, outputs: Sequence[Node]) -> Graph:
    """A new graph that computes ``outputs`` (nodes keep their names) with this session's values as constants.

    :raises GraphError: an output needs a write, or belongs to another graph.
    :raises StateError: a variable has no value in this session.
    """
    frozen = Graph(session.graph.name)
    nodes = needed(session.graph, outputs)
    replica = Replica(frozen, nodes, lambda node: node.name)
    made = replica.made
    for node in nodes:
        if node.op.startswith("assign"):
            raise GraphError(f"{node.name!r} writes a variable; a frozen graph has none: freeze what does not train")
        if node.op == "variable":
            frozen.names.unique(node.name)
            made[node] = frozen.constant(session.value(node), name=f"{node.name}/", label="Const")
            continue
        mirrors = made.get(node.mirrors) if node.mirrors is not None else None
        replica.add(node, made.__getitem__, [made[waited] for waited in node.control], mirrors=mirrors)
    for node, twin in made.items():
        if node.serves is not None and node.serves in made:
            frozen.set_serves(twin, made[node.serves])
    return frozen


def needed(graph: Graph, outputs: Sequence[Node]) -> list[Node]:
    """What ``outputs`` need, in an order in which it can run.

    :raises GraphError: one of them belongs to another graph.
    """
    found: set[Node] = set()
    waiting = list(outputs)
    while waiting:
        node = waiting.pop()
        if node.graph is not graph:
            raise GraphError(f"{node.name!r} belongs to another graph than the session")
        if node not in found:
            found.add(node)
            waiting += [read for read, _ in node.inputs]
            waiting += node.control
            for region in node.regions:
                waiting += [*region.nodes, *region.results]
    return sorted(found, key=lambda node: node.order)
