"""What happened in one call of a compiled function."""

from __future__ import annotations

from dataclasses import dataclass, field

_WHY = {
    "bool": "a Python decision on a tensor's value",
    "item": "item() needs the value",
    "int": "int() needs the value",
    "float": "float() needs the value",
    "index": "an index needs the value",
    "iter": "iterating over a tensor",
    "repr": "printing a tensor needs its value",
    "numpy": "a NumPy array needs the values",
    "tolist": "a list needs the values",
    "backward": "backward runs outside of graphs",
}


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the graph ended because Python needed ``what``; ``nodes`` were in the graph that ended."""

    what: str
    file: str
    line: int
    nodes: int

    @property
    def why(self) -> str:
        """The reason in words."""
        return _WHY.get(self.what, f"{self.what} needs the value")


@dataclass(slots=True)
class Report:
    """One call: how many ``graphs`` ran, how many of them were ``compiled`` anew, the ``breaks`` between them,
    ``ops`` in all, and the ``guards`` under which the call's entry holds. ``line`` is where the function begins."""

    name: str
    line: int
    graphs: int = 0
    compiled: int = 0
    ops: int = 0
    breaks: list[Break] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.graphs} graphs, {len(self.breaks)} graph breaks, {self.ops} ops"]
        lines += [f"break {i}: line {b.line}: {b.why}, after {b.nodes} ops" for i, b in enumerate(self.breaks)]
        lines += [f"guard: {guard}" for guard in self.guards]
        return "\n".join(lines)
