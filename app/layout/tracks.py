"""Lanes inside gutters and corridors, so that edges that run along the same one do not lie on each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.layout.budget import Budget
from app.layout.routing import Route

PITCH = 8
"""Between two lanes."""


@dataclass
class Lanes:
    """``of[edge, corner]`` is the lane of the stretch from a route's corner ``corner`` to the next, ``count[line]``
    how many lanes a gutter or corridor has (by its doubled coordinate)."""

    of: dict[tuple[int, int], int] = field(default_factory=dict)
    count: dict[int, int] = field(default_factory=dict)


@dataclass
class _Stretch:
    low: int
    high: int
    members: list[tuple[int, int]]


def assign(routes: Sequence[Route], groups: Sequence[int], axis: int, budget: Budget) -> Lanes:
    """Lanes for all stretches along ``axis`` (0: corridors, 1: gutters).

    Routes of one group (edges that leave the same box) share a lane where they overlap: a bus. Short stretches get the
    first lanes.
    """
    lines: dict[int, dict[int, list[_Stretch]]] = defaultdict(lambda: defaultdict(list))
    for edge, route in enumerate(routes):
        budget.check()
        for corner in range(len(route.via) - 1):
            start, end = route.via[corner], route.via[corner + 1]
            if start[1 - axis] == end[1 - axis] and start[axis] != end[axis]:
                low, high = sorted((start[axis], end[axis]))
                _join(lines[start[1 - axis]][groups[edge]], _Stretch(low, high, [(edge, corner)]))
    lanes = Lanes()
    for line in sorted(lines):
        stretches = [stretch for group in lines[line].values() for stretch in group]
        stretches.sort(key=lambda s: (s.high - s.low, s.low, s.members[0]))
        rows: list[list[_Stretch]] = []
        for stretch in stretches:
            budget.check()
            lane = next(
                (i for i, row in enumerate(rows) if all(s.high < stretch.low or s.low > stretch.high for s in row)),
                len(rows),
            )
            if lane == len(rows):
                rows.append([])
            rows[lane].append(stretch)
            for member in stretch.members:
                lanes.of[member] = lane
        lanes.count[line] = len(rows)
    return lanes


def _join(stretches: list[_Stretch], new: _Stretch) -> None:
    """Add a stretch to those of its group; what overlaps becomes one."""
    overlapping = [s for s in stretches if s.low <= new.high and s.high >= new.low]
    for other in overlapping:
        stretches.remove(other)
        new.low, new.high = min(new.low, other.low), max(new.high, other.high)
        new.members = other.members + new.members
    stretches.append(new)
