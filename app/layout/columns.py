"""Reading the packed tables of a trace document."""

from __future__ import annotations

from typing import Any

from engine.trace.columns import ColumnError, decode


class LayoutError(ValueError):
    """The trace cannot be laid out: says which table or column is wrong."""


def column(table: Any, name: str) -> list[int]:
    """One column of a table as a list of integers, whichever way it is packed; a missing column is empty.

    >>> column({"a": {"rle": [7, 2, 1, 1]}}, "a"), column({"b": {"delta": [5, 1, -2]}}, "b"), column({}, "c")
    ([7, 7, 1], [5, 6, 4], [])

    :raises LayoutError: the column is packed in another way.
    """
    packed = table.get(name, []) if isinstance(table, dict) else []
    try:
        numbers: list[int] = decode(packed).tolist()
    except ColumnError as error:
        raise LayoutError(f"column {name!r} cannot be read: {error}") from error
    return numbers


class Nodes:
    """The node table of a trace, unpacked, with the role that each node ends up with."""

    def __init__(self, trace: dict[str, Any]) -> None:
        table = trace.get("nodes", {})
        self.graph, self.slot, self.plan = (column(table, name) for name in ("graph", "slot", "plan"))
        self.definition, self.type = column(table, "definition"), column(table, "type")
        self.mirrors, self.serves = column(table, "mirrors"), column(table, "serves")
        self.variable, self.name = column(table, "variable"), column(table, "name")
        self.scope = column(table, "scope")
        self.count = len(self.graph)
        self.region = column(table, "region") or [-1] * self.count
        regions = trace.get("regions", {})
        self.runs_region, self.around = column(regions, "node"), column(regions, "parent")
        self.region_name = column(regions, "name")
        self.strings: list[str] = trace.get("strings", [])
        self.types: list[Any] = trace.get("types", [])
        definitions = trace.get("definitions", [])
        self._roles = [str(d.get("role", "op")) for d in definitions]
        self._categories = [str(d.get("category", "")) for d in definitions]
        self._fused = [d.get("op") == "fused" for d in definitions]
        self._labels = [str(d.get("label") or d.get("op") or "") for d in definitions]
        self.role = [self._roles[d] if d >= 0 else "op" for d in self.definition]
        changes = trace.get("events", {}).get("role", {})
        for node, definition in zip(column(changes, "node"), column(changes, "definition"), strict=True):
            self.role[node] = self._roles[definition]

    def text(self, index: int) -> str:
        """A string by its number; empty for -1."""
        return self.strings[index] if index >= 0 else ""

    def label(self, node: int) -> str:
        """What the dialect calls the op."""
        return self._labels[self.definition[node]] if self.definition[node] >= 0 else ""

    def is_control(self, node: int) -> bool:
        d = self.definition[node]
        return self.role[node] == "control" or (self.role[node] == "op" and d >= 0 and self._categories[d] == "control")

    def is_shown(self, node: int) -> bool:
        """Whether the node has a place of its own.

        Plumbing is collapsed under the node that it serves; a fused step stands where the ops of its chain stand.
        """
        d = self.definition[node]
        return (
            self.slot[node] >= 0 and self.graph[node] >= 0 and self.serves[node] < 0 and not (d >= 0 and self._fused[d])
        )

    def host(self, node: int) -> int:
        """The shown node that stands for ``node`` (itself, or what it serves), or -1."""
        for _ in range(self.count):
            if node < 0 or self.serves[node] < 0:
                return node
            node = self.serves[node]
        return -1
