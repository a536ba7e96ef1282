"""Blocks of ``control_dependencies``."""

from __future__ import annotations

from engine.static.node import Node


class ControlFrame:
    """One ``control_dependencies`` block: its conditions, and the nodes made inside."""

    __slots__ = ("nodes", "seen")

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self.nodes = nodes
        self.seen: set[Node] = set()
