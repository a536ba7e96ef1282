"""What each item is to the picture: forward, backward, at the foot, on the shelf."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from app.layout import grid
from app.layout.structure import LEAVES, Link, Structure

FEW = 6
"""Ops that read one leaf and are no more than these stay together."""


class Roles:
    """Who reads whom, and the zone of each item (``grid.SHELF`` and so on, -1 for what only a plan owns).

    >>> from app.layout.structure import Item, Link
    >>> items = (Item("input", "input", 88, 58), Item("op", "op", 88, 58), Item("gradient", "grad", 88, 58, mirror=1))
    >>> roles = Roles(Structure(False, items, (Link(0, 1, "data"),)))
    >>> roles.zone == [grid.SHELF, grid.FORWARD, grid.BACKWARD], roles.root(2)
    (True, 1)
    """

    def __init__(self, structure: Structure) -> None:
        self.items, self._static = structure.items, structure.static
        self.reads: dict[int, list[int]] = defaultdict(list)
        self.readers: dict[int, list[int]] = defaultdict(list)
        self._kinds: dict[int, set[str]] = defaultdict(set)
        self._out: dict[int, list[Link]] = defaultdict(list)
        for link in structure.links:
            self._kinds[link.target].add(link.kind)
            self._out[link.source].append(link)
            if not link.back and link.kind not in ("origin", "rewired"):
                self.reads[link.target].append(link.source)
                self.readers[link.source].append(link.target)
        self.mirrored = {item.mirror for item in self.items if item.mirror >= 0}
        self.initial = self._initial()
        self.zone = self._zones()

    def _zones(self) -> list[int]:
        """The zone of each item; leaves are on the shelf, plan-owned items are placed last (-1)."""
        items = self.items
        leads = [False] * len(items)
        for i in range(len(items) - 1, -1, -1):
            leads[i] = i in self.mirrored or any(
                leads[reader] for reader in self.readers[i] if items[reader].role == "op"
            )
        zone: list[int] = []
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
            elif (
                item.role == "update"
                or self.initial[i]
                or self.only_waits(i)
                or (after & {grid.BACKWARD, grid.STORAGE, grid.FOOT} and not leads[i])
            ):
                zone.append(grid.FOOT)
            else:
                zone.append(grid.FORWARD)
        if grid.FORWARD not in zone and not any(items[i].role in LEAVES for i in self.mirrored):
            # Nothing to mirror: the structure is laid out as it is.
            zone = [grid.FORWARD if z == grid.BACKWARD else z for z in zone]
        return zone

    def _initial(self) -> list[bool]:
        """Which ops only compute what variables begin with."""
        initial = [False] * len(self.items)
        for i in range(len(self.items) - 1, -1, -1):
            readers = [link for link in self._out[i] if link.kind not in ("origin", "rewired")]
            into = {initial[k.target] or k.kind == "update" or self.only_waits(k.target) for k in readers}
            first = any(initial[k.target] or k.kind == "update" for k in readers)
            initial[i] = self.items[i].role == "op" and first and into == {True} and i not in self.mirrored
        return initial

    def only_waits(self, item: int) -> bool:
        """Whether an op reads nothing and only runs after others: what groups updates, or initialises variables."""
        kinds = self._kinds.get(item, set())
        return bool(kinds) and kinds <= {"control", "update"}

    def root(self, item: int) -> int:
        """The forward item that a gradient item mirrors in the end, or -1."""
        for _ in self.items:
            if item < 0 or self.items[item].mirror < 0:
                return item if item >= 0 and self.zone[item] != grid.BACKWARD else -1
            item = self.items[item].mirror
        return -1

    def first_reader(self, leaf: int, zones: set[int]) -> int:
        """The first item of these zones that reads ``leaf``, or -1."""
        return next((r for r in sorted(self.readers[leaf]) if self.zone[r] in zones), -1)

    def weight(self, op: int) -> float:
        """How much an op counts for the main line: what reads data or variables, what has a gradient, and most of all
        where backward begins."""
        reads = any(self.items[source].role in ("input", "variable") for source in self.reads[op])
        goal = self.items[op].goal and not self._static
        return 1 + 0.25 * reads + 0.25 * (op in self.mirrored) + 2 * goal

    def ties(self, number: dict[int, int]) -> list[tuple[int, int]]:
        """Pairs of ops that read the same leaf, if they are few: they belong to one part of the picture. ``number`` are
        the ops' numbers, in which the pairs are given."""
        ties = []
        for leaf, item in enumerate(self.items):
            if item.role in ("input", "variable"):
                users = sorted({number[r] for r in self.readers[leaf] if r in number})
                if len(users) <= FEW:
                    ties += list(pairwise(users))
        return ties
