"""Which ops took longest, all their runs together: the answer to the first question about a slow program."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from app.story.recording import Recording

FEWEST = 4
"""With fewer ops there is nothing to look for."""


@dataclass(frozen=True)
class Taken:
    """An op of one line: its runs, and the nanoseconds that they took together."""

    label: str
    line: int
    runs: int
    ns: int


def longest(recording: Recording, count: int = 3) -> tuple[list[Taken], int]:
    """The ``count`` ops that took longest, and what all took (ns); a gradient's op stands in the line of its forward
    op."""
    spent: dict[tuple[str, int], list[int]] = defaultdict(list)
    for kind in ("ran", "gradient"):
        table = recording.events.get(kind, {"node": [], "duration": []})
        for node, ns in zip(table["node"], table["duration"], strict=True):
            mirrored = recording.nodes["mirrors"][node]
            span = recording.nodes["span"][mirrored if mirrored >= 0 else node]
            line = recording.spans["line"][span] if span >= 0 else 0
            spent[recording.label(node), line].append(ns)
    found = [Taken(label, line, len(times), sum(times)) for (label, line), times in spent.items()]
    found.sort(key=lambda one: -one.ns)
    total = sum(one.ns for one in found)
    return ([] if len(found) < FEWEST or not total else found[:count]), total
