"""Regions: the nodes that a control node runs as a whole, such as a branch or the body of a loop.

Nodes of a region are nodes of the graph like all others. They may read whatever surrounds them; nothing outside may
read them, because they only have a value while the region runs: results leave through ``output`` nodes of the owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events
from engine.errors import GraphError

if TYPE_CHECKING:
    from engine.static.graph import Graph
    from engine.static.node import Node

WORDS = {"true": "the branch 'true'", "false": "the branch 'false'", "condition": "the condition", "body": "the body"}


@dataclass(frozen=True)
class ControlNames:
    """What a dialect calls what belongs to decisions and loops: names of ``output`` nodes by the op that they pick
    from (of a ``for_loop`` by ``"value"`` and ``"stack"``), of loop variables by the region; whether branches and loop
    parts have a name scope of their own."""

    outputs: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    scopes: bool = True


class Region:
    """``name`` is ``"true"``, ``"false"``, ``"condition"`` or ``"body"``; ``parent`` the region around it (``None``:
    the graph).

    ``parameters`` are the loop variables by kind and index, ``results`` what the region hands on, in order: the results
    that the program asked for, then values that gradients want to see again. ``effects`` run whenever the region runs.
    """

    __slots__ = (
        "effects", "graph", "handed_out", "name", "nodes", "owner", "parameters", "parent", "picks", "results", "scope",
        "traced",
    )  # fmt: skip

    def __init__(self, graph: Graph, name: str, scope: str, parent: Region | None) -> None:
        self.graph = graph
        self.name = name
        self.scope = scope
        self.parent = parent
        self.owner: Node | None = None
        self.nodes: list[Node] = []
        self.parameters: dict[tuple[str, int], Node] = {}
        self.results: list[Node] = []
        self.effects: list[Node] = []
        self.handed_out: dict[Node, Node] = {}
        """For gradients: what stands outside for nodes in here."""
        self.picks: dict[tuple[str, int], Node] = {}
        """In the last region of an owner: its ``output`` nodes by what they pick."""
        self.traced = -1
        if events.listener is not None:
            outside = -1 if parent is None else parent.traced
            self.traced = events.listener.region_created(graph.traced, name, outside)

    def around(self) -> Iterator[Region]:
        """This region and those around it, from the inside out."""
        found: Region | None = self
        while found is not None:
            yield found
            found = found.parent

    def __repr__(self) -> str:
        return f"<region {self.name} of {self.owner.name if self.owner else self.scope}>"


def visible(node: Node, region: Region | None) -> bool:
    """Whether a node of ``region`` may read ``node``."""
    home = node.region
    if home is None or home is region:
        return True
    return region is not None and any(one is home for one in region.around())


def check_visible(node: Node, region: Region | None) -> None:
    """:raises GraphError: ``node`` only has a value while a region runs that ``region`` does not lie in."""
    if not visible(node, region):
        home = node.region
        assert home is not None
        raise GraphError(
            f"{node.name!r} lies in {WORDS[home.name]} of {home.scope!r} and only has a value while that runs: "
            "return it from there and use what comes out"
        )


def captured(regions: Sequence[Region], results: Iterable[Node] = ()) -> tuple[list[Node], list[Node]]:
    """What ``regions`` read from outside, and what their nodes wait for outside; each once, in order."""
    inside = set(regions)
    read: dict[Node, None] = {}
    waited: dict[Node, None] = {}
    for region in regions:
        for node in region.nodes:
            for source, _ in node.inputs:
                if source.region not in inside:
                    read[source] = None
            for source in node.control:
                if source.region not in inside:
                    waited[source] = None
        for node in region.results:
            if node.region not in inside:
                read[node] = None
    for node in results:
        if node.region not in inside:
            read[node] = None
    return list(read), [node for node in waited if node not in read]
