"""From cells and routes to coordinates: rows and columns with room for lanes between them, bands, wall and doors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from app.layout import grid, measure, tracks
from app.layout.axes import NAME, NOTE, Axis, Gap, make_axis
from app.layout.curves import Box, Place, points
from app.layout.placing import Placing
from app.layout.routing import Route, Router
from app.layout.structure import LEAVES, Link
from app.layout.wall import Door, Frame, entrances

COLUMN, ROW = 104, 96
"""Centres of neighbouring columns and rows are at least this far apart."""
GUTTER, MARGIN, LABELS = 16, 28, 104
BEND = 32
BUS = 5
"""From this many edges on, those into one box share their lanes."""
EVEN = 124
"""Boxes of a column grow to the widest of them that is no wider than this."""

_GAPS = {
    ("variables", "variables"): 44, ("variables", "forward"): 64, ("forward", "variables"): 60,
    ("forward", "forward"): 56,
    ("forward", "backward"): 100, ("variables", "backward"): 100, ("backward", "backward"): 44,
    ("backward", "gradients"): 64, ("gradients", "backward"): 64, ("updates", "backward"): 64,
    ("gradients", "updates"): 52, ("updates", "updates"): 44,
}  # fmt: skip


class Picture:
    """The finished layout of one structure, in items (not yet slots)."""

    def __init__(self, placing: Placing) -> None:
        self.placing, self.structure = placing, placing.structure
        self.items = placing.structure.items
        cells = placing.grid.cells
        self.columns = sorted({column for column, _ in cells.values()})
        self.rows = sorted({row for _, row in cells.values()})
        column_of, row_of = {c: i for i, c in enumerate(self.columns)}, {r: i for i, r in enumerate(self.rows)}
        self.cells = {item: (column_of[c], row_of[r]) for item, (c, r) in cells.items()}
        self.bands = [grid.band(row, self.structure.static) for row in self.rows]
        self.widths = [0.0] * len(self.columns)
        self.heights = [0.0] * len(self.rows)
        for item, (column, row) in self.cells.items():
            self.widths[column] = max(self.widths[column], self.items[item].width)
            self.heights[row] = max(self.heights[row], self.items[item].height)
        self._even = [0] * len(self.columns)
        for item, (column, _) in self.cells.items():
            if self.items[item].width <= EVEN:
                self._even[column] = max(self._even[column], self.items[item].width)
        self.sizes = [self._size(item) for item in range(len(self.items))]
        self.frame = (
            Frame.around(self.rows, self.cells, placing.outside) if self.structure.static and self.cells else None
        )
        # Where an op that initialises is shown, the way of an initial value leads through it.
        through = {link.source for link in self.structure.links if link.kind == "control"}
        drawn = [k for k in self.structure.links if k.kind != "update" or k.source not in through]
        self.links = [*drawn, *self._mirrors()]
        self.bent: set[int] = set()
        self._route()
        self.wall = self.frame.rectangle(self.x, self.y) if self.frame is not None else None
        self.boxes: list[Box] = [self._box(item) for item in range(len(self.items))]

    def _size(self, item: int) -> tuple[int, int]:
        """Boxes of one column are equally wide, except the very wide and the pills."""
        own = self.items[item]
        if own.height < measure.HEIGHT:
            return own.width, own.height
        return max(own.width, self._even[self.cells[item][0]]), own.height

    def _mirrors(self) -> list[Link]:
        """A hairline from each forward item to the uppermost of its gradient items, where no edge joins them yet."""
        joined = {(link.source, link.target) for link in self.structure.links}
        found = []
        for item, zone in enumerate(self.placing.zone):
            root = self.placing.roles.root(item) if zone == grid.BACKWARD else -1
            row = self.placing.grid.cells[item][1]
            if root >= 0 and row[0] == grid.BACKWARD and row[2] == 0 and (root, item) not in joined:
                found.append(Link(root, item, "mirror"))
        return found

    def _flow(self, link: Link) -> str:
        """The way values run along a link, which decides the sides it prefers."""
        source, target = (self.placing.grid.cells[end][1] for end in (link.source, link.target))
        if link.kind != "origin" and self.items[link.source].role in LEAVES:
            if source[0] == grid.SHELF or (grid.is_local_shelf(source) and target > source):
                return "gate" if link.source in self.placing.outside else "shelf"
            if link.source in self.placing.outside:
                return "door"
        if link.kind == "update" and source > target and self.items[link.target].role == "variable":
            return "store"
        if link.kind in ("saved", "mirror", "origin", "update") or link.back:
            return "any"
        if link.kind == "grad":
            return "left" if source[0] == target[0] == grid.BACKWARD else "down"
        if source[0] == grid.FOOT and target > source:
            return "down"
        return "right" if source[0] == target[0] == grid.FORWARD and not grid.is_local_shelf(source) else "any"

    # -- coordinates -------------------------------------------------------------------------------------------------
    def _route(self) -> None:
        rough = self._axes({}, {})
        xs = [rough[0].at(i) for i in range(2 * len(self.columns) + 1)]
        ys = [rough[1].at(i) for i in range(2 * len(self.rows) + 1)]
        narrow = {i for i, (column, _) in self.cells.items() if self.widths[column] - self.sizes[i][0] > 8}
        router = Router(self.cells, xs, ys, narrow)
        budget = self.placing.budget
        routes = []
        for link in self.links:
            budget.check()
            routes.append(router.route(link, self._flow(link)))
        self._leaving = Counter(link.source for link in self.links)
        self._entering = Counter(link.target for link in self.links)
        groups = [self._group(link) for link in self.links]
        self.exits: list[tuple[int, Route]] = []
        if self.frame is not None:
            self.exits = [(item, router.leave(self.cells[item], len(self.columns))) for item in self._fetched()]
        # A door is wider than a lane: its way keeps the next two lanes free.
        everything = [*routes, *(route for _, route in self.exits for _ in range(3))]
        groups += [-2 - i for i in range(3 * len(self.exits))]
        self._across, self._up = (tracks.assign(everything, groups, axis, budget) for axis in (0, 1))
        for link, route in zip(self.links, routes, strict=True):
            if (
                route.is_curve
                and self.cells[link.source][1] != self.cells[link.target][1]
                and route.sides in ("rl", "lr")
            ):
                # A curve between rows needs a wider gutter to bend in.
                self.bent.add(max(self.cells[link.source][0], self.cells[link.target][0]))
        self.x, self.y = self._axes(self._up.count, self._across.count)
        self.sides = [route.sides for route in routes]
        places = [self._corners(edge, route) for edge, route in enumerate(everything)]
        self.via, self.exit_via = places[: len(routes)], places[len(routes) :: 3]

    def _group(self, link: Link) -> int:
        """Edges of one group share lanes: those that leave one box, or those that enter a box that many enter."""
        into = link.kind == "grad" and self.items[link.target].role == "accumulate"
        many = self._entering[link.target] >= BUS and self._entering[link.target] > self._leaving[link.source]
        return link.target if into or many else link.source

    def _fetched(self) -> list[int]:
        return [
            i
            for i, item in enumerate(self.items)
            if item.goal and i not in self.placing.outside and item.role not in LEAVES
        ]

    def _axes(self, up: Mapping[int, int], across: Mapping[int, int]) -> tuple[Axis, Axis]:
        n, m = len(self.columns), len(self.rows)
        columns = [Gap(10, 10, BEND if i in self.bent else GUTTER) for i in range(n + 1)]
        rows = [Gap(NOTE, NAME, 0)] * (m + 1)
        for i in range(1, m):
            rows[i] = Gap(NOTE, NAME, _GAPS.get((self.bands[i - 1], self.bands[i]), 64))
        left = MARGIN
        if not self.structure.static and any(
            column == 0 and self.bands[row] in ("variables", "gradients", "updates")
            for column, row in self.cells.values()
        ):
            left += LABELS
        columns[0], columns[n] = Gap(left, 12, left), Gap(12, MARGIN, MARGIN)
        rows[0], rows[m] = Gap(MARGIN, NAME, MARGIN + NAME), Gap(NOTE, MARGIN, NOTE + MARGIN)
        if self.frame is not None:
            self.frame.widen(columns, rows)
        return make_axis(self.widths, columns, COLUMN, up), make_axis(self.heights, rows, ROW, across)

    def _corners(self, edge: int, route: Route) -> list[Place]:
        """The corners' coordinates: each lies on one stretch across and one stretch up, or on a centre."""
        found = []
        for i, (x, y) in enumerate(route.via):
            up = self._up.of.get((edge, i), self._up.of.get((edge, i - 1), 0))
            across = self._across.of.get((edge, i), self._across.of.get((edge, i - 1), 0))
            found.append((self.x.at(x, up), self.y.at(y, across)))
        return found

    def _box(self, item: int) -> Box:
        column, row = self.cells[item]
        width, height = self.sizes[item]
        return self.x.centres[column] - width / 2, self.y.centres[row] - height / 2, width, height

    # -- the document ------------------------------------------------------------------------------------------------
    def document(self) -> dict[str, Any]:
        """The layout as ``docs/layout.md`` has it, with items in place of slots."""
        bands, band_of = self._bands()
        order = range(len(self.items))
        wall = self.wall
        doors = self._doors(wall) if wall is not None else []
        return {
            "width": round(self.x.length, 1),
            "height": round(self.y.length, 1),
            "wall": dict(zip(("x", "y", "width", "height"), map(_tidy, wall), strict=True)) if wall else None,
            "bands": bands,
            "slots": {
                "slot": list(order),
                "x": [_tidy(self.boxes[i][0]) for i in order],
                "y": [_tidy(self.boxes[i][1]) for i in order],
                "width": [self.sizes[i][0] for i in order],
                "height": [self.sizes[i][1] for i in order],
                "form": [self.items[i].form for i in order],
                "band": [band_of[self.cells[i][1]] for i in order],
            },
            "edges": {
                "source": [link.source for link in self.links],
                "target": [link.target for link in self.links],
                "kind": [link.kind for link in self.links],
                "sides": self.sides,
                "via": [[[_tidy(x), _tidy(y)] for x, y in via] for via in self.via],
            },
            "doors": doors,
        }

    def _bands(self) -> tuple[list[dict[str, Any]], list[int]]:
        bands: list[dict[str, Any]] = []
        band_of = []
        for row, name in enumerate(self.bands):
            top, bottom = (self.y.centres[row] + sign * self.heights[row] / 2 for sign in (-1, 1))
            if not bands or bands[-1]["name"] != name:
                bands.append({"name": name, "y": _tidy(top), "height": 0})
            bands[-1]["height"] = _tidy(bottom - bands[-1]["y"])
            band_of.append(len(bands) - 1)
        return bands, band_of

    def _doors(self, wall: Box) -> list[dict[str, Any]]:
        doors: list[Door] = []
        for edge, link in enumerate(self.links):
            ends = [end for end in (link.source, link.target) if end in self.placing.outside]
            if len(ends) == 1:
                line = points(self.boxes[link.source], self.boxes[link.target], self.sides[edge], self.via[edge])
                kind = "variable" if self.items[ends[0]].role == "variable" else "feed"
                doors += entrances(ends[0], kind, line if ends[0] == link.source else line[::-1], wall)
        right = wall[0] + wall[2]
        for (item, route), via in zip(self.exits, self.exit_via, strict=True):
            y = via[-1][1] if via else self.y.centres[self.cells[item][1]]
            doors.append(Door(item, "fetch", right, y, route.sides[0], tuple(via[:1])))
        unique = {(d.item, d.kind, round(d.x), round(d.y)): d for d in reversed(doors)}
        return [
            {
                "slot": d.item,
                "kind": d.kind,
                "x": _tidy(d.x),
                "y": _tidy(d.y),
                "side": d.side,
                "via": [[_tidy(x), _tidy(y)] for x, y in d.via],
            }
            for d in sorted(unique.values(), key=lambda d: (d.item, d.kind, d.x, d.y))
        ]


def _tidy(value: float) -> float:
    """One decimal, integers without."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded
