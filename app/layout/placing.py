"""Which cell each item gets: forward ops first, then everything else beside, above or below what it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count

from app.layout import grid
from app.layout.budget import Budget
from app.layout.forward import Forward, arrange
from app.layout.grid import Grid
from app.layout.roles import Roles
from app.layout.structure import LEAVES, Structure, gradient_orders


class Placing:
    """Gives every item of ``structure`` a cell. After :meth:`run`, ``grid`` has them and ``outside`` the items that
    stand outside the wall of a static graph."""

    def __init__(self, structure: Structure, budget: Budget) -> None:
        self.structure, self.budget = structure, budget
        self.items = structure.items
        self.grid = Grid()
        self.outside: set[int] = set()
        self.roles = Roles(structure)
        self.reads, self.readers, self.zone = self.roles.reads, self.roles.readers, self.roles.zone
        self.left = 0 if structure.static else -(10**9)

    def run(self) -> Forward:
        """Place everything; returns how the forward ops were arranged."""
        ops = [i for i, zone in enumerate(self.zone) if zone == grid.FORWARD]
        number = {op: n for n, op in enumerate(ops)}
        edges = sorted(
            {
                (number[link.source], number[link.target])
                for link in self.structure.links
                if link.kind != "origin"
                and link.source in number
                and link.target in number
                and link.source < link.target
            }
        )
        inline = self._inline(ops)
        arranged = arrange(
            len(ops),
            edges,
            indented=set() if self.structure.static else {number[user] for user in inline},
            weights=[self.roles.weight(op) for op in ops],
            kin=[frozenset(s for s in self.reads[op] if self.items[s].role == "variable") for op in ops],
            ties=self.roles.ties(number),
            groups=[self.items[op].group for op in ops],
            budget=self.budget,
        )
        for op, (column, row) in zip(ops, arranged.cells, strict=True):
            self.grid.put(op, column, grid.forward(row))
        self._place_inline(inline)
        self._place_leaves(grid.FORWARD)
        self._place_gradients()
        self._place_leaves(grid.BACKWARD)
        self._place_storage()
        self._place_foot()
        self._place_leaves(grid.FOOT)
        self._place_unused()
        self._place_owned()
        return arranged

    # -- what stands where -------------------------------------------------------------------------------------------
    def _line(self, item: int) -> int:
        """The forward row that an item belongs to: its own, or that of its first reader."""
        if item in self.grid.cells:
            row = self.grid.cells[item][1]
            if row[0] == grid.FORWARD:
                return row[1]
        reader = self.roles.first_reader(item, {grid.FORWARD})
        return self.grid.cells[reader][1][1] if reader >= 0 else 0

    # -- forward -----------------------------------------------------------------------------------------------------
    def _inline(self, ops: list[int]) -> dict[int, int]:
        """Inputs that stand left of a user, in its line: user -> input. The user reads no other op; of several it is
        the one from which the heaviest way leads on."""
        way: dict[int, float] = {op: self.roles.weight(op) for op in ops}
        for op in reversed(ops):
            self.budget.check()
            way[op] += max((way[r] for r in self.readers[op] if r in way and r > op), default=0.0)
        inline: dict[int, int] = {}
        for i, item in enumerate(self.items):
            if item.role == "input" and item.plan < 0:
                users = [r for r in sorted(set(self.readers[i])) if r in way and r not in inline]
                users = [user for user in users if not any(source in way for source in self.reads[user])]
                if users:
                    inline[max(users, key=lambda user: (round(way[user], 3), -user))] = i
        return inline

    def _user(self, leaf: int, zone: int) -> int:
        """The reader above which a leaf stands: the leftmost in the row that has most of them, if one has, else in the
        uppermost; -1 for none."""
        if zone != grid.FORWARD:
            return self.roles.first_reader(leaf, {zone})
        rows: dict[grid.Row, list[int]] = defaultdict(list)
        for reader in sorted(set(self.readers[leaf])):
            if self.zone[reader] == zone:
                rows[self.grid.cells[reader][1]].append(reader)
        if not rows:
            return -1
        busiest = max(rows, key=lambda row: len(rows[row]))
        users = rows[busiest if 2 * len(rows[busiest]) > sum(map(len, rows.values())) else min(rows)]
        return min(users, key=lambda user: (self.grid.cells[user][0], user))

    def _place_inline(self, inline: dict[int, int]) -> None:
        """Left of their users. In a static graph they stand outside the wall; their own gradients, if any, inside."""
        step = 1
        if self.structure.static:
            roots = {self.roles.root(i) for i, zone in enumerate(self.zone) if zone == grid.BACKWARD}
            if any(leaf in roots and self.grid.cells[user][0] == 0 for user, leaf in inline.items()):
                step, self.left = 2, -1
        for user, leaf in inline.items():
            column, row = self.grid.cells[user]
            if self.grid.is_free(column - step, row) and (column == 0 or not self.structure.static):
                self.grid.put(leaf, column - step, row)
                if self.structure.static:
                    self.outside.add(leaf)

    def _leaf_rows(self, leaf: int, user: int, zone: int) -> Iterator[grid.Row]:
        """Rows for a leaf whose first reader is ``user``, the best first."""
        row = self.grid.cells[user][1]
        inside = self.items[leaf].role == "constant"
        if self.structure.static and not inside:
            return map(grid.shelf, count())
        if zone == grid.FORWARD:
            own = self.structure.static or row[1] > 0
            return (grid.local_shelf(row[1], level) if own else grid.shelf(level) for level in count())
        if row[0] == grid.BACKWARD:
            return (grid.deeper(row, level) for level in count())
        return map(grid.foot, count(row[1]))

    def _place_leaves(self, zone: int) -> None:
        """Leaves whose first reader is in ``zone``: those that find their own column first, then the rest beside."""
        waiting = []
        for leaf, item in enumerate(self.items):
            if item.role not in LEAVES or item.plan >= 0 or leaf in self.grid.cells:
                continue
            self.budget.check()
            user = self._user(leaf, zone)
            if user < 0:
                continue
            column = self.grid.cells[user][0]
            row = next(self._leaf_rows(leaf, user, zone))
            if self.structure.static and item.role != "constant":
                self.outside.add(leaf)
            if row[0] in (grid.SHELF, grid.FORWARD) and self.grid.is_free(column, row):
                self.grid.put(leaf, column, row)
            else:
                waiting.append((leaf, user, column))
        for leaf, user, column in waiting:
            outside = leaf in self.outside
            self.grid.put_near(
                leaf,
                column,
                self._leaf_rows(leaf, user, zone),
                left=max(self.left, 0) if outside else self.left,
                prefer=-1 if zone == grid.FOOT else 1,
            )

    # -- backward and below ------------------------------------------------------------------------------------------
    def _place_gradients(self) -> None:
        reads = [(k.source, k.target) for k in self.structure.links if k.kind == "grad" and self.structure.static]
        order = gradient_orders(self.items, reads)
        waiting = []
        for i, zone in enumerate(self.zone):
            if zone != grid.BACKWARD:
                continue
            self.budget.check()
            root = self.roles.root(i)
            if root < 0 or root not in self.grid.cells:
                waiting.append(i)
                continue
            column = self.grid.cells[root][0]
            if root in self.outside:
                column = max(column, self.left)
            rows = (grid.backward(self._line(root), depth, order[i]) for depth in count())
            self.grid.put_near(i, column, rows, reach=0)
        for i in reversed(waiting):
            self._place_loose(i)

    def _place_loose(self, item: int) -> None:
        """A gradient item that mirrors nothing: before what it feeds, else after what it reads, else at the end."""
        readers = [r for r in self.readers[item] if r in self.grid.cells and self.zone[r] == grid.BACKWARD]
        reads = [r for r in self.reads[item] if r in self.grid.cells and self.zone[r] == grid.BACKWARD]
        column, row = self.grid.cells[(readers or reads)[0]] if readers or reads else (0, grid.backward(0, 0))
        column += 1 if readers else -1 if reads else 0
        rows = (grid.deeper(row, depth) for depth in count())
        self.grid.put_near(item, max(column, self.left), rows, left=self.left)

    def _home(self, item: int) -> int:
        """The forward row at whose mirrored foot an item stands, or -1 for the foot of the whole picture."""
        near = [self.items[item].mirror, *self.reads[item]]
        for other in near:
            if other in self.grid.cells:
                row = self.grid.cells[other][1]
                if grid.is_local_shelf(row) and not self.structure.static and row[1] > 0:
                    return row[1]
                if grid.is_local_foot(row):
                    return -row[1]
        return -1

    def _place_storage(self) -> None:
        for i, zone in enumerate(self.zone):
            if zone == grid.STORAGE:
                home = self._home(i)
                rows = (grid.local_foot(home, 0, d) if home >= 0 else grid.storage(d) for d in count())
                self.grid.put_near(i, self._column_below(i), rows, reach=0, left=self.left)

    def _column_below(self, item: int) -> int:
        """The column for something at the foot: its variable's, else that of what it reads."""
        mirror = self.items[item].mirror
        if mirror in self.grid.cells:
            return max(self.grid.cells[mirror][0], self.left)
        near = [s for s in self.reads[item] if s in self.grid.cells]
        ranked = sorted(near, key=lambda s: (self.items[s].role != "variable", self.zone[s] != grid.FOOT, s))
        if self.items[item].role != "update":
            ranked = sorted(near, key=lambda s: (self.zone[s] not in (grid.STORAGE, grid.FOOT), s))
        return max(self.grid.cells[ranked[0]][0], self.left) if ranked else max(0, self.left)

    def _place_foot(self) -> None:
        level: dict[int, int] = {}
        apart: list[int] = []
        for i, zone in enumerate(self.zone):
            if zone != grid.FOOT:
                continue
            if self.roles.initial[i] or (self.roles.only_waits(i) and not any(s in level for s in self.reads[i])):
                apart.append(i)
                continue
            level[i] = 1 + max((level[s] for s in self.reads[i] if s in level), default=-1)
            home, at = self._home(i), level[i]
            rows = (grid.local_foot(home, 1, d) if home >= 0 else grid.foot(d) for d in count(at))
            self.grid.put_near(i, self._column_below(i), rows, reach=0, left=self.left)
        self._place_apart(apart)

    def _place_apart(self, ops: list[int]) -> None:
        """What initialises variables runs to the right, by itself, behind what trains them."""
        first = max((c + 2 for c, row in self.grid.cells.values() if row[0] == grid.FOOT), default=max(0, self.left))
        depth: dict[int, int] = {}
        for i in ops:
            depth[i] = 1 + max((depth[s] for s in self.reads[i] if s in depth), default=-1)
        last = max(depth.values(), default=0)
        for i in ops:
            column = first + (last if self.roles.only_waits(i) else depth[i])
            before = [self.grid.cells[s][1][1] for s in self.reads[i] if s in depth]
            self.grid.put_near(i, column, map(grid.foot, count(min(before, default=0))), reach=0)

    # -- the rest ----------------------------------------------------------------------------------------------------
    def _place_unused(self) -> None:
        """Leaves that nothing reads, in the order of birth: on the shelf, constants of a static graph at the foot."""
        width = max(12, max((column for column, _ in self.grid.cells.values()), default=0) + 1)
        shelf, foot = self._free(grid.shelf, width), self._free(grid.foot, width)
        for i, item in enumerate(self.items):
            if i in self.grid.cells or item.plan >= 0:
                continue
            inside = self.structure.static and item.role == "constant"
            self.grid.put(i, *next(foot if inside else shelf))
            if self.structure.static and not inside:
                self.outside.add(i)

    def _free(self, rows: Callable[[int], grid.Row], width: int) -> Iterator[grid.Cell]:
        """The free cells of rows of ``width`` columns, from the left, one row after the other."""
        cells = ((column, rows(level)) for level in count() for column in range(width))
        return (cell for cell in cells if self.grid.is_free(*cell))

    def _place_owned(self) -> None:
        """What only a plan owns stands near what it replaced. Plans are never shown together: they share the cells."""
        shared: dict[tuple[int, int], list[int]] = defaultdict(list)
        for i, item in enumerate(self.items):
            if item.plan < 0:
                continue
            key = item.anchor, sum(1 for other in shared[item.anchor, -1] if self.items[other].plan == item.plan)
            shared[item.anchor, -1].append(i)
            if shared[key]:
                self.grid.put(i, *self.grid.cells[shared[key][0]])
            elif item.anchor in self.grid.cells:
                column, row = self.grid.cells[item.anchor]
                self.grid.put_near(i, column, self._rows_beside(row), left=self.left)
            else:
                self.grid.put_near(i, 0, (grid.local_shelf(0, d) for d in count()), left=self.left)
            shared[key].append(i)

    def _rows_beside(self, row: grid.Row) -> Iterator[grid.Row]:
        if row[0] == grid.BACKWARD:
            return (grid.deeper(row, depth) for depth in count())
        if row[0] in (grid.STORAGE, grid.FOOT):
            return map(grid.foot, count(row[1]))
        return (grid.local_shelf(row[1] if row[0] == grid.FORWARD else 0, level) for level in count())
