"""Which cell each item gets: forward ops first, then everything else beside, above or below what it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import count

from app.layout import dot, grid
from app.layout.forward import Forward, arrange
from app.layout.grid import Grid
from app.layout.structure import LEAVES, Structure


class Placing:
    """Gives every item of ``structure`` a cell. After :meth:`run`, ``grid`` has them and ``outside`` the items that stand
    outside the wall of a static graph."""

    def __init__(self, structure: Structure, deadline: float = dot.DEADLINE) -> None:
        self.structure, self.deadline = structure, deadline
        self.items = structure.items
        self.grid = Grid()
        self.outside: set[int] = set()
        self.reads: dict[int, list[int]] = defaultdict(list)
        self.readers: dict[int, list[int]] = defaultdict(list)
        for link in structure.links:
            if not link.back and link.kind not in ("origin", "rewired"):
                self.reads[link.target].append(link.source)
                self.readers[link.source].append(link.target)
        self.mirrored = {item.mirror for item in self.items if item.mirror >= 0}
        self.zone = self._zones()
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
        inline = self._inline(number)
        indented = set() if self.structure.static else {number[user] for user in inline}
        kin = [frozenset(s for s in self.reads[op] if self.items[s].role == "variable") for op in ops]
        arranged = arrange(len(ops), edges, indented, [self._weight(op) for op in ops], kin, self.deadline)
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
    def _zones(self) -> list[int]:
        """The zone of each item; leaves are on the shelf, plan-owned items are placed last (-1)."""
        items = self.items
        leads = [False] * len(items)
        for i in range(len(items) - 1, -1, -1):
            leads[i] = i in self.mirrored or any(
                leads[reader] for reader in self.readers[i] if items[reader].role == "op"
            )
        zone = []
        for i, item in enumerate(items):
            after = {zone[source] for source in self.reads[i] if source < i}
            if item.plan >= 0:
                zone.append(-1)
            elif item.role in LEAVES:
                zone.append(grid.SHELF)
            elif item.role == "gradient":
                zone.append(grid.BACKWARD)
            elif item.role == "accumulate":
                zone.append(grid.STORAGE)
            elif item.role == "update" or (after & {grid.BACKWARD, grid.STORAGE, grid.FOOT} and not leads[i]):
                zone.append(grid.FOOT)
            else:
                zone.append(grid.FORWARD)
        if grid.FORWARD not in zone and not any(items[i].role in LEAVES for i in self.mirrored):
            # Nothing to mirror: the structure is laid out as it is.
            zone = [grid.FORWARD if z == grid.BACKWARD else z for z in zone]
        return zone

    def root(self, item: int) -> int:
        """The forward item that a gradient item mirrors in the end, or -1."""
        for _ in self.items:
            if item < 0 or self.items[item].mirror < 0:
                return item if item >= 0 and self.zone[item] != grid.BACKWARD else -1
            item = self.items[item].mirror
        return -1

    def _first_reader(self, leaf: int, zones: set[int]) -> int:
        return next((r for r in sorted(self.readers[leaf]) if self.zone[r] in zones), -1)

    def _line(self, item: int) -> int:
        """The forward row that an item belongs to: its own, or that of its first reader."""
        if item in self.grid.cells:
            row = self.grid.cells[item][1]
            if row[0] == grid.FORWARD:
                return row[1]
        reader = self._first_reader(item, {grid.FORWARD})
        return self.grid.cells[reader][1][1] if reader >= 0 else 0

    def _weight(self, op: int) -> float:
        """How much an op counts for the main line: what reads data or variables and what has a gradient weighs more."""
        reads = any(self.items[source].role in ("input", "variable") for source in self.reads[op])
        return 1 + 0.25 * reads + 0.25 * (op in self.mirrored)

    # -- forward -----------------------------------------------------------------------------------------------------
    def _inline(self, ops: dict[int, int]) -> dict[int, int]:
        """Inputs that stand left of their first user, in its line: user -> input. The user reads no other op."""
        inline: dict[int, int] = {}
        for i, item in enumerate(self.items):
            if item.role == "input" and item.plan < 0:
                user = self._first_reader(i, {grid.FORWARD})
                if user >= 0 and user not in inline and not any(source in ops for source in self.reads[user]):
                    inline[user] = i
        return inline

    def _place_inline(self, inline: dict[int, int]) -> None:
        for user, leaf in inline.items():
            column, row = self.grid.cells[user]
            if self.grid.is_free(column - 1, row) and (column == 0 or not self.structure.static):
                self.grid.put(leaf, column - 1, row)
                if self.structure.static:
                    self.outside.add(leaf)

    def _leaf_rows(self, leaf: int, user: int, zone: int) -> Iterator[grid.Row]:
        row = self.grid.cells[user][1]
        inside = self.structure.static and self.items[leaf].role == "constant"
        for level in count():
            if zone == grid.FORWARD:
                own = inside or (row[1] > 0 and not self.structure.static)
                yield grid.local_shelf(row[1], level) if own else grid.shelf(level)
            elif self.structure.static and not inside:
                yield grid.shelf(level)
            else:
                yield (
                    row
                    if level == 0
                    else (*row[:2], row[2] + level, row[3])
                    if zone == grid.BACKWARD
                    else grid.foot(row[1] + level)
                )

    def _place_leaves(self, zone: int) -> None:
        """Leaves whose first reader is in ``zone``: those that find their own column first, then the rest beside."""
        waiting = []
        for leaf, item in enumerate(self.items):
            if item.role not in LEAVES or item.plan >= 0 or leaf in self.grid.cells:
                continue
            user = self._first_reader(leaf, {zone})
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
                leaf, column, self._leaf_rows(leaf, user, zone), reach=1, left=self.left if not outside else 0
            )

    # -- backward and below ------------------------------------------------------------------------------------------
    def _place_gradients(self) -> None:
        waiting = []
        for i, zone in enumerate(self.zone):
            if zone != grid.BACKWARD:
                continue
            root = self.root(i)
            if root < 0 or root not in self.grid.cells:
                waiting.append(i)
                continue
            column, line = self.grid.cells[root][0], self._line(root)
            depth = next(d for d in count() if self.grid.is_free(column, grid.backward(line, d)))
            self.grid.put(i, column, grid.backward(line, depth))
        for i in reversed(waiting):
            # Before what it feeds (gradients flow to the left), else after what it reads, else at the end.
            near = [(r, 1) for r in self.readers[i] if r in self.grid.cells] or [
                (r, -1) for r in self.reads[i] if r in self.grid.cells and self.zone[r] == grid.BACKWARD
            ]
            column, row = (
                (self.grid.cells[near[0][0]][0] + near[0][1], self.grid.cells[near[0][0]][1])
                if near
                else (0, grid.backward(0, 0))
            )
            if row[0] != grid.BACKWARD:
                row = grid.backward(0, 0)
            self.grid.put_near(i, max(column, self.left), ((*row[:2], row[2] + d, 0) for d in count()), left=self.left)

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
        for i, zone in enumerate(self.zone):
            if zone == grid.FOOT:
                level[i] = 1 + max((level[s] for s in self.reads[i] if s in level), default=-1)
                home, at = self._home(i), level[i]
                rows = (grid.local_foot(home, 1, d) if home >= 0 else grid.foot(d) for d in count(at))
                self.grid.put_near(i, self._column_below(i), rows, reach=0, left=self.left)

    # -- the rest ----------------------------------------------------------------------------------------------------
    def _place_unused(self) -> None:
        """Leaves that nothing reads: in the order of birth, after everything else on the shelf."""
        columns = [column for column, _ in self.grid.cells.values()]
        width = max(12, max(columns, default=0) + 1)
        spot = iter((column, grid.shelf(level)) for level in count() for column in range(width))
        for i, item in enumerate(self.items):
            if i in self.grid.cells or item.plan >= 0:
                continue
            column, row = next((c, r) for c, r in spot if self.grid.is_free(c, r))
            self.grid.put(i, column, row)
            if self.structure.static and item.role != "constant":
                self.outside.add(i)

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
                line = row[1] if row[0] == grid.FORWARD else 0
                rows = (grid.local_shelf(line, d) for d in count())
                if row[0] == grid.BACKWARD:
                    rows = ((*row[:2], row[2] + d, 0) for d in count())
                elif row[0] in (grid.STORAGE, grid.FOOT):
                    rows = map(grid.foot, count(row[1]))
                self.grid.put_near(i, column, rows, left=self.left)
            else:
                self.grid.put_near(i, 0, (grid.local_shelf(0, d) for d in count()), left=self.left)
            shared[key].append(i)
