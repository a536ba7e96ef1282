"""Ways for edges between cells, around boxes: through the gutters between columns and the corridors between rows.

Everything here is in doubled grid coordinates: column ``c`` has its centre at ``2 c + 1``, the gutter left of it is
``2 c``; rows and the corridors above them likewise.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from app.layout.structure import Link

Point = tuple[int, int]
BEND = 26.0
"""How long a detour may be to save a bend."""


@dataclass(frozen=True, slots=True)
class Route:
    """``sides``: where it leaves and where it enters (``l r t b``). ``via``: corners, doubled grid coordinates."""

    sides: str
    via: tuple[Point, ...] = ()

    @property
    def is_curve(self) -> bool:
        return not self.via


@dataclass(frozen=True, slots=True)
class _Port:
    """A way to leave (or, reversed, to enter) a box: ``at`` is where the first straight stretch ends."""

    side: str
    at: Point
    cost: float


_OUTWARD = {"l": (-1, 0), "r": (1, 0), "t": (0, -1), "b": (0, 1)}
# How much a side is disliked, leaving and entering: for edges that flow right, left (gradients), down, off a shelf,
# and in by a door of the wall (gate: from above, door: from the left), where only the middle of a side leads straight
# to the door.
_FLOW: dict[str, tuple[dict[str, float], dict[str, float]]] = {
    "right": ({"r": 0, "b": 18, "t": 18, "l": 90}, {"l": 0, "t": 18, "b": 18, "r": 90}),
    "left": ({"l": 0, "b": 14, "t": 24, "r": 90}, {"r": 0, "t": 18, "b": 18, "l": 90}),
    "down": ({"b": 0, "r": 24, "l": 26, "t": 60}, {"t": 0, "l": 10, "b": 24, "r": 40}),
    "shelf": ({"b": 0}, {"t": 0, "l": 10, "b": 24, "r": 40}),
    "gate": ({"b": 0}, {"t": 0, "l": 10, "b": 24, "r": 40}),
    "door": ({"r": 0}, {"l": 0, "t": 10, "b": 18, "r": 60}),
    "store": ({"r": 0, "t": 6, "l": 6, "b": 10}, {"b": 0}),
    "any": ({"b": 0, "r": 6, "l": 6, "t": 10}, {"t": 0, "r": 6, "l": 6, "b": 10}),
}


class Router:
    """Finds a route for each link. ``cells`` are (column, row) of each item; ``xs`` and ``ys`` the rough places of all
    doubled coordinates, by which detours are weighed. A curve from the side of a box that is narrower than its column
    (``narrow``) could touch the box below it."""

    def __init__(
        self,
        cells: Mapping[int, tuple[int, int]],
        xs: Sequence[float],
        ys: Sequence[float],
        narrow: Collection[int] = (),
    ) -> None:
        self.cells, self.xs, self.ys, self.narrow = cells, xs, ys, narrow
        rows: dict[int, set[int]] = defaultdict(set)
        columns: dict[int, set[int]] = defaultdict(set)
        for column, row in cells.values():
            rows[row].add(column)
            columns[column].add(row)
        self._rows = {row: sorted(found) for row, found in rows.items()}
        self._columns = {column: sorted(found) for column, found in columns.items()}

    def route(self, link: Link, flow: str) -> Route:
        """The way for one link; ``flow`` is a key of ``_FLOW``: where values run."""
        a, b = self.cells[link.source], self.cells[link.target]
        return self._straight(a, b, flow) or self._curve(link, a, b, flow) or self._around(a, b, flow)

    def leave(self, cell: Point, columns: int) -> Route:
        """The way out of the picture at the right: along the row if it is free, else through the corridor below or
        above."""
        if self._clear(self._rows, cell[1], cell[0], columns):
            return Route("r")
        x, y = 2 * cell[0] + 1, 2 * cell[1] + 1
        return Route("b", ((x, y + 1), (2 * columns, y + 1)))

    # -- without corners ---------------------------------------------------------------------------------------------
    def _clear(self, lines: Mapping[int, list[int]], line: int, a: int, b: int) -> bool:
        """Whether no box stands strictly between ``a`` and ``b`` in a row (or column)."""
        low, high = min(a, b), max(a, b)
        boxes = lines.get(line, [])
        return bisect_left(boxes, high) - bisect_right(boxes, low) <= 0

    def _straight(self, a: Point, b: Point, flow: str) -> Route | None:
        if flow in ("shelf", "gate") and b[1] <= a[1]:
            return None
        if a[1] == b[1] and a[0] != b[0] and self._clear(self._rows, a[1], a[0], b[0]):
            side = "rl" if b[0] > a[0] else "lr"
            if flow in ("down", "any") or (flow != "store" and side == ("lr" if flow == "left" else "rl")):
                return Route(side)
        if a[0] == b[0] and a[1] != b[1] and self._clear(self._columns, a[0], a[1], b[1]):
            side = "bt" if b[1] > a[1] else "tb"
            if flow != "store" or side == "tb":
                return Route(side)
        return None

    def _curve(self, link: Link, a: Point, b: Point, flow: str) -> Route | None:
        across, along = b[0] - a[0], b[1] - a[1]
        beside = link.source not in self.narrow and link.target not in self.narrow
        if beside and flow in ("right", "left") and across == (-1 if flow == "left" else 1) and abs(along) == 1:
            return Route("lr" if flow == "left" else "rl")
        if flow in ("down", "any", "shelf") and along == 1 and abs(across) == 1:
            return Route("bt")
        if flow == "any" and along == -1 and abs(across) == 1:
            return Route("tb")
        return None

    # -- with corners ------------------------------------------------------------------------------------------------
    def _ports(self, cell: Point, other: Point, dislikes: Mapping[str, float]) -> list[_Port]:
        """Ways out of a cell: to the next gutter or corridor, or along free cells to the one beside ``other``."""
        x, y = 2 * cell[0] + 1, 2 * cell[1] + 1
        found = []
        for side, dislike in dislikes.items():
            dx, dy = _OUTWARD[side]
            found.append(_Port(side, (x + dx, y + dy), dislike))
            if dx and (other[0] - cell[0]) * dx > 1 and self._clear(self._rows, cell[1], cell[0], other[0]):
                found.append(_Port(side, (2 * other[0] + 1 - dx, y), dislike))
            if dy and (other[1] - cell[1]) * dy > 1 and self._clear(self._columns, cell[0], cell[1], other[1]):
                found.append(_Port(side, (x, 2 * other[1] + 1 - dy), dislike))
        return found

    def _around(self, a: Point, b: Point, flow: str) -> Route:
        leave, enter = _FLOW[flow]
        outs, ins = self._ports(a, b, leave), self._ports(b, a, enter)
        best: tuple[float, Route] | None = None
        # No way is shorter than this, nor has fewer corners.
        least = self._length(a, (), b) + 2 * BEND
        for out in outs:
            for into in ins:
                if best is not None and out.cost + into.cost + least >= best[0]:
                    continue
                for corners in self._between(out, into, a, b):
                    cost = out.cost + into.cost + self._length(a, corners, b) + BEND * len(corners)
                    if best is None or cost < best[0] - 1e-9:
                        best = cost, Route(out.side + into.side, corners)
        if best is None:
            raise AssertionError("there is always a way around the whole picture")
        return best[1]

    def _between(self, out: _Port, into: _Port, a: Point, b: Point) -> list[tuple[Point, ...]]:
        """Corners of the ways from one port to another: each stretch in a gutter or corridor, which are always free."""
        (x1, y1), (x2, y2) = out.at, into.at
        upright_out, upright_in = out.side in "lr", into.side in "lr"
        if upright_out and upright_in:  # both in gutters
            if x1 == x2:
                return [((x1, y1), (x2, y2))] if y1 != y2 else []
            lanes = {y1 - 1, y1 + 1, y2 - 1, y2 + 1}
            return [((x1, y1), (x1, lane), (x2, lane), (x2, y2)) for lane in sorted(lanes)]
        if not upright_out and not upright_in:  # both in corridors
            if y1 == y2:
                return [((x1, y1), (x2, y2))] if x1 != x2 else []
            lanes = {x1 - 1, x1 + 1, x2 - 1, x2 + 1}
            return [((x1, y1), (lane, y1), (lane, y2), (x2, y2)) for lane in sorted(lanes)]
        if upright_out:
            return [((x1, y1), (x1, y2), (x2, y2))]
        return [((x1, y1), (x2, y1), (x2, y2))]

    def _length(self, a: Point, corners: Sequence[Point], b: Point) -> float:
        x, y = self.xs[2 * a[0] + 1], self.ys[2 * a[1] + 1]
        total = 0.0
        for corner in corners:
            nx, ny = self.xs[corner[0]], self.ys[corner[1]]
            total += abs(nx - x) + abs(ny - y)
            x, y = nx, ny
        return total + abs(self.xs[2 * b[0] + 1] - x) + abs(self.ys[2 * b[1] + 1] - y)
