"""Rows for ops whose columns are known: chains become straight lines, the longest on top."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from app.layout.budget import Budget
from app.layout.layering import Edge, Spot

KIN = 2.0
"""What sharing a variable with a chain weighs, against the length of another way."""


def lines(
    spots: Sequence[Spot],
    edges: Sequence[Edge],
    indented: Collection[int],
    weights: Sequence[float],
    kin: Sequence[frozenset[int]],
    part: Sequence[int],
    budget: Budget,
) -> list[int]:
    """The row of each op, from 0 in each ``part`` (parts share rows: they are packed later).

    Ops are cut into chains, heaviest first; a chain lies in one row and keeps the whole stretch from its first to its
    last column to itself (one more at the left for an op in ``indented``). It takes the free row nearest to what it
    hangs on. ``kin`` are the variables that each op reads: a chain prefers what reads the same ones (the steps of an
    unrolled loop).

    >>> spots = [(0, 0.0), (1, 0.0), (2, 0.0), (1, 1.0)]
    >>> lines(spots, [(0, 1), (1, 2), (0, 3)], (), [1.0] * 4, [frozenset()] * 4, [0] * 4, Budget(1.0))
    [0, 0, 0, 1]
    """
    before: dict[int, list[int]] = defaultdict(list)
    after: dict[int, list[int]] = defaultdict(list)
    for source, target in edges:
        before[target].append(source)
        after[source].append(target)
    head, tail = list(weights), list(weights)
    for op in range(len(spots)):
        head[op] += max((head[source] for source in before[op]), default=0.0)
    for op in range(len(spots) - 1, -1, -1):
        tail[op] += max((tail[target] for target in after[op]), default=0.0)
    order = sorted(
        range(len(spots)),
        key=lambda op: (-round(head[op] + tail[op] - weights[op], 3), -spots[op][0], spots[op][1], op),
    )
    row: list[int] = [-1] * len(spots)
    seen = [False] * len(spots)
    taken = _Taken(budget)
    for start in order:
        if seen[start]:
            continue
        budget.check()
        chain = _chain(start, before, after, head, tail, kin, seen)
        left = min(spots[op][0] - (op in indented) for op in chain)
        right = max(spots[op][0] for op in chain)
        hangs = [row[other] for op in chain for other in (*before[op], *after[op]) if row[other] >= 0]
        wanted = min(hangs, default=0)
        found = taken.take(part[start], left, right, wanted)
        for op in chain:
            row[op] = found
    return row


def _chain(
    start: int,
    before: dict[int, list[int]],
    after: dict[int, list[int]],
    head: Sequence[float],
    tail: Sequence[float],
    kin: Sequence[frozenset[int]],
    seen: list[bool],
) -> list[int]:
    """The heaviest way through ``start`` over ops that belong to no chain yet."""
    chain, seen[start] = [start], True
    uses = set(kin[start])
    for neighbours, weight in ((after, tail), (before, head)):
        op = start
        while free := [other for other in neighbours[op] if not seen[other]]:
            op = max(free, key=lambda other: (round(weight[other] + KIN * bool(kin[other] & uses), 3), -other))
            seen[op] = True
            chain.append(op)
            uses |= kin[op]
    return chain


class _Taken:
    """Which cells are taken. Rows never become free again, so a search goes on where the last one like it ended."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._cells: set[tuple[int, int, int]] = set()
        self._tried: dict[tuple[int, int, int, int], int] = {}

    def take(self, part: int, left: int, right: int, wanted: int) -> int:
        """Take columns ``left`` to ``right`` of the free row nearest to ``wanted``; returns the row."""
        distance = self._tried.get((part, left, right, wanted), 0)
        while True:
            self._budget.check()
            for row in (wanted + distance, wanted - distance):
                if row >= 0 and not any((part, row, column) in self._cells for column in range(left, right + 1)):
                    self._cells.update((part, row, column) for column in range(left, right + 1))
                    self._tried[part, left, right, wanted] = distance
                    return row
            distance += 1
