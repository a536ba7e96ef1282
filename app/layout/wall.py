"""The wall around a static graph and its doors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.layout import grid
from app.layout.axes import NAME, NOTE, Axis, Gap
from app.layout.curves import Box, Place

BESIDE, ABOVE, INSIDE, FOOT, MARGIN = 16, 30, 22, 36, 28
"""From an outside column and an outside row to the wall; from the wall to the boxes inside; at the foot; around the
picture."""
SIGN = 72
"""Room right of the wall for the words beside a fetch door."""
ROOM = 200, 200
"""How wide and high a wall is at least inside, if nothing stands in it: the words that say so do."""


@dataclass(frozen=True, slots=True)
class Door:
    """A door on the wall. Fetch doors have the way from their box: the side it leaves, and its corners."""

    item: int
    kind: str
    x: float
    y: float
    side: str = ""
    via: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """Which gaps of the grid the wall runs through: before column ``left`` and before row ``top``."""

    left: int
    top: int

    @staticmethod
    def around(
        rows: Sequence[tuple[int, ...]], cells: Mapping[int, tuple[int, int]], outside: Collection[int]
    ) -> Frame:
        """The wall of a static graph: outside are the shelf, and the first column if only fed inputs stand in it.

        ``cells`` are columns and indices into ``rows`` of each item.
        """
        top = sum(1 for row in rows if row[0] == grid.SHELF)
        beside = any(cells[i][0] == 0 and rows[cells[i][1]][0] != grid.SHELF for i in outside)
        return Frame(1 if beside else 0, top)

    def widen(self, columns: list[Gap], rows: list[Gap]) -> None:
        """Make room for the wall in the gaps that it runs through."""
        if self.left:
            columns[0] = Gap(MARGIN, 0, MARGIN)
            columns[1] = Gap(BESIDE + 8, 14, BESIDE + INSIDE)
        else:
            columns[0] = Gap(MARGIN + 8, 14, MARGIN + INSIDE + 14)
        bare = len(columns) - 1 <= self.left or len(rows) - 1 <= self.top
        wide, high = ROOM if bare else (0, 0)
        columns[-1] = Gap(12, SIGN + 12, INSIDE + SIGN + 8 + wide)
        if self.top:
            rows[0] = Gap(MARGIN, NAME, MARGIN)
            rows[self.top] = Gap(ABOVE + 14, NAME + 6, ABOVE + 76)
        else:
            rows[0] = Gap(MARGIN + 12, NAME + 6, MARGIN + 48)
        rows[-1] = Gap(NOTE, FOOT + MARGIN, NOTE + FOOT + MARGIN + high)

    def rectangle(self, x: Axis, y: Axis) -> Box:
        """The wall: x, y, width, height."""
        left = x.gaps[self.left][0] + (BESIDE if self.left else MARGIN)
        top = y.gaps[self.top][0] + (ABOVE if self.top else MARGIN)
        return left, top, x.length - SIGN - left, y.length - MARGIN - top


def entrances(item: int, kind: str, line: Sequence[Place], wall: Box) -> list[Door]:
    """Where an edge from outside first passes the wall (nothing if it never does).

    >>> [(d.x, d.y) for d in entrances(0, "feed", [(0, 5), (20, 5)], (10, 0, 50, 50))]
    [(10, 5.0)]
    """
    left, top = wall[0], wall[1]
    for (x1, y1), (x2, y2) in pairwise(line):
        if (y1 - top) * (y2 - top) <= 0 and y1 != y2:
            x = x1 + (x2 - x1) * (top - y1) / (y2 - y1)
            if x >= left:
                return [Door(item, kind, x, top)]
        if (x1 - left) * (x2 - left) <= 0 and x1 != x2:
            y = y1 + (y2 - y1) * (left - x1) / (x2 - x1)
            if y >= top:
                return [Door(item, kind, left, y)]
    return []
