"""The grid: every box has a cell, a column and a row that is known by what it is for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

Row = tuple[int, int, int, int]
"""A row's place from top to bottom: (zone, …). Rows that nobody uses do not exist in the end."""
Cell = tuple[int, Row]

SHELF, FORWARD, BACKWARD, STORAGE, FOOT = range(5)
_FOOT = 10**6
"""Deeper than any stack of gradient ops."""
BANDS = ("variables", "forward", "backward", "gradients", "updates")


def shelf(level: int) -> Row:
    """The shelf above everything; level 0 is the lowest."""
    return SHELF, -level, 0, 0


def local_shelf(row: int, level: int) -> Row:
    """Between the forward rows: what stands right above row ``row``."""
    return FORWARD, row, 0, -level


def is_local_shelf(row: Row) -> bool:
    return row[0] == FORWARD and row[2] == 0


def forward(row: int) -> Row:
    return FORWARD, row, 1, 0


def backward(row: int, depth: int, order: int = 1) -> Row:
    """The mirror image of forward row ``row``: the lowest forward row is the highest here. ``depth`` stacks downwards.

    Gradients of gradients (``order`` 2 and more) lie below, mirrored once more.
    """
    return BACKWARD, _FOOT * (order - 1) + (row if order % 2 == 0 else -row), depth, 0


def deeper(row: Row, depth: int) -> Row:
    """The row ``depth`` rows down the same stack of the backward band."""
    return row[0], row[1], row[2] + depth, row[3]


def local_foot(row: int, kind: int, level: int) -> Row:
    """Under the mirror image of forward row ``row``: storages (``kind`` 0) and updates (1) of the variables above
    it."""
    return BACKWARD, -row, _FOOT + kind, level


def is_local_foot(row: Row) -> bool:
    return row[0] == BACKWARD and row[2] >= _FOOT


def storage(level: int) -> Row:
    return STORAGE, level, 0, 0


def foot(level: int) -> Row:
    return FOOT, level, 0, 0


def band(row: Row, static: bool) -> str:
    """The band that a row belongs to. In a static graph constants on a local shelf are part of the forward band."""
    if is_local_shelf(row) and not static:
        return "variables"
    if is_local_foot(row):
        return "gradients" if row[2] == _FOOT else "updates"
    return BANDS[row[0]]


@dataclass
class Grid:
    """Which item has which cell. ``cells`` maps items to cells, ``taken`` cells to their first item."""

    cells: dict[int, Cell] = field(default_factory=dict)
    taken: dict[Cell, int] = field(default_factory=dict)
    _full: dict[tuple[int, Row, int, int], int] = field(default_factory=dict)

    def put(self, item: int, column: int, row: Row) -> None:
        self.cells[item] = column, row
        self.taken.setdefault((column, row), item)

    def is_free(self, column: int, row: Row) -> bool:
        return (column, row) not in self.taken

    def put_near(
        self,
        item: int,
        column: int,
        rows: Iterable[Row],
        *,
        reach: int = 1,
        left: int = -(10**9),
        prefer: int = 1,
    ) -> None:
        """The nearest free cell: a step sideways costs less than the next row; the side ``prefer`` (1: right) is
        tried first. The last of ``rows`` must have a free cell within ``reach``, or be one of endlessly many."""
        rows = iter(rows)
        top = next(rows)
        best: tuple[float, Cell] | None = None
        # Cells never become free again: a search goes on where the last one like it ended.
        start = self._full.get((column, top, reach, left), 0)
        for level, row in enumerate(chain([top], rows)):
            if level < start:
                continue
            for distance in sorted(range(-reach, reach + 1), key=lambda d: (abs(d), -d * prefer)):
                cost = 1.5 * level + abs(distance)
                free = column + distance >= left and self.is_free(column + distance, row)
                if free and (best is None or cost < best[0]):
                    best = cost, (column + distance, row)
            if best is None:
                self._full[column, top, reach, left] = level + 1
            elif 1.5 * (level + 1) >= best[0]:
                break
        if best is None:
            raise ValueError(f"no free cell for item {item} near column {column}")
        self.put(item, *best[1])
