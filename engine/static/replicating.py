"""Making nodes again, one by one, with the decisions and loops that they are part of: for copies and frozen graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.errors import GraphError
from engine.static.graph import Graph
from engine.static.needs import operand_labels
from engine.static.node import Node
from engine.static.regions import Region, captured

Find = Callable[[Node], Node]
"""What stands in the new place for a node that is read."""


def with_regions(nodes: Iterable[Node]) -> list[Node]:
    """``nodes`` and all that lies in the decisions and loops among them, in an order in which it can run."""
    found: dict[Node, None] = {}
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            for region in node.regions:
                waiting += region.nodes
    return sorted(found, key=lambda node: node.order)


def operands(node: Node) -> int:
    """How many inputs of a decision or loop are its own; the others are what its regions read from outside."""
    return sum(kind != "capture" for kind, _ in operand_labels(node))


class Replica:
    """Nodes that are made again in ``target``; ``made[original]`` is the new one.

    ``nodes`` are all that will be made (as :func:`with_regions` gives them): a region is made anew if its owner is one
    of them. Names are kept below the names that owners get.
    """

    def __init__(self, target: Graph, nodes: Iterable[Node], name: Callable[[Node], str]) -> None:
        self.target = target
        self.made: dict[Node, Node] = {}
        self.regions: dict[Region, Region] = {}
        self._name = name
        self._owners: dict[str, str] = {}
        chosen = set(nodes)
        owners = sorted((node for node in chosen if node.regions), key=lambda node: len(node.name))
        for node in owners:
            self._owners[node.name] = self._renamed(node, own=True)
        for node in sorted(owners, key=lambda node: node.order, reverse=True):
            for region in node.regions:
                self._region(region, chosen)

    def add(self, node: Node, find: Find, control: Iterable[Node], **more: Any) -> Node:
        """Make ``node`` again, reading what ``find`` gives for what it reads."""
        target = self.target
        reads = [(find(read), port) for read, port in node.inputs]
        if node.regions:
            self._fill(node, find)
            read, waited = captured([self.regions[region] for region in node.regions])
            reads = [*reads[: operands(node)], *((one, 0) for one in read)]
            control = dict.fromkeys([*control, *waited])
        outside, target._region = target._region, self._home(node)
        try:
            twin = self.made[node] = target.add(
                node.op,
                reads,
                node.attributes,
                name=f"{self._owners.get(node.name) or self._renamed(node)}/",
                label=node.label,
                role=node.role,
                type=node.type,
                control=control,
                regions=tuple(self.regions[region] for region in node.regions),
                **more,
            )
        finally:
            target._region = outside
        if node.op == "output":
            label = (node.attributes["kind"], node.attributes["index"])
            twin.inputs[0][0].regions[-1].picks.setdefault(label, twin)
        return twin

    def _home(self, node: Node) -> Region | None:
        """The region that the new node lies in."""
        if node.region in self.regions:
            return self.regions[node.region]
        if node.region is None or self.target is node.graph:
            return node.region
        if node.op == "loop_variable":
            raise GraphError(
                f"{node.name!r} is a variable of the loop {node.region.scope!r}: copy the whole loop, or what reads it"
            )
        return None

    def _region(self, region: Region, chosen: set[Node]) -> None:
        parent = region.parent
        if parent is not None and parent.owner in chosen:
            if parent not in self.regions:
                self._region(parent, chosen)
            parent = self.regions[parent]
        elif parent is not None and self.target is not region.graph:
            parent = None
        if region not in self.regions:
            owner = region.owner
            assert owner is not None
            self.regions[region] = Region(self.target, region.name, self._owners[owner.name], parent)

    def _fill(self, owner: Node, find: Find) -> None:
        for region in owner.regions:
            twin = self.regions[region]
            twin.parameters = {label: self.made[node] for label, node in region.parameters.items()}
            twin.results = [find(node) for node in region.results]
            twin.effects = [self.made[node] for node in region.effects]

    def _renamed(self, node: Node, own: bool = False) -> str:
        """A new name: below that of the innermost owner whose name it begins with."""
        parts = node.name.split("/")
        names = self.target.names
        for count in range(len(parts) - (1 if own else 0), 0, -1):
            outer = self._owners.get("/".join(parts[:count]))
            if outer is not None and count < len(parts):
                scope, names.scope = names.scope, ""
                try:
                    return names.unique("/".join([outer, *parts[count:]]))
                finally:
                    names.scope = scope
        return names.unique(self._name(node))
