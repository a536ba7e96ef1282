"""What is known about a run when its card is chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass
class Facts:
    """``op``, ``role`` and ``category`` are those of the node that failed (empty: none did), ``operands`` what it was
    given (name, type); ``events`` how often each kind of event happened; ``line`` where the error is, from 1;
    ``defined_line`` where a static op was built. The numbers at the end are about the whole run."""

    type: str = ""
    message: str = ""
    dialect: str = "python"
    source: str = ""
    line: int = 0
    defined_line: int = 0
    op: str = ""
    role: str = ""
    category: str = ""
    operands: list[tuple[str, str]] = field(default_factory=list)
    events: Mapping[str, int] = field(default_factory=dict)
    static_graphs: int = 0
    names: frozenset[str] = frozenset()
    """Variables of the program that were bound."""
    stdout: str = ""
    freed: bool = False
    """Whether a backward has let go of what the graph had saved."""
    grown_runs: int = 0
    """How many runs came right after new nodes had joined the graph that had run already."""
    accumulated_again: int = 0
    """How often a gradient was added to one that an earlier pass had left."""
    cleared: int = 0
    kept_graphs: int = 0
    """How many results that backward has been through still hang on a running total that it never goes through."""
    losses: tuple[float, ...] = ()
    """The numbers that backward began at, of the line where it did so most often."""
    traced: Mapping[str, int] = field(default_factory=dict)
    """How many graphs each function was traced to."""

    @cached_property
    def line_text(self) -> str:
        lines = self.source.splitlines()
        return lines[self.line - 1] if 0 < self.line <= len(lines) else ""

    def says(self, *patterns: str) -> bool:
        """Whether the message is about one of these (regular expressions, upper and lower case alike)."""
        return any(re.search(pattern, self.message[:4000], re.IGNORECASE) for pattern in patterns)

    def found(self, pattern: str) -> str:
        """The first group of a pattern in the message, empty if it is not there."""
        match = re.search(pattern, self.message[:4000], re.IGNORECASE)
        return match.group(1) if match else ""

    def line_has(self, *patterns: str) -> bool:
        """Whether the failing line of the program has one of these."""
        return any(re.search(pattern, self.line_text) for pattern in patterns)

    def raised_here(self) -> bool:
        """Whether the program itself raised the error: its words are the program's own."""
        return self.line_has(r"(^|[:;])\s*raise\b")

    def is_any(self, *types: str) -> bool:
        return self.type.rpartition(".")[2] in types

    def framework(self) -> bool:
        return self.dialect in ("torch", "tf1", "tf2", "native")

    def tensorflow(self) -> bool:
        return self.dialect in ("tf1", "tf2")
