"""Branches and loops: what a region holds stands together, and nothing else stands among it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence


def blocks(columns: Sequence[int], rows: Sequence[int], group: Sequence[int], part: Sequence[int]) -> list[int]:
    """The rows again, with the ops of each ``group`` (-1: none) in rows of their own as far as its columns reach.

    A group goes where its uppermost op stood, or to the nearest rows below that are free; rows that become empty
    are taken out. ``part``: ops of different parts do not see each other.

    >>> blocks([0, 1, 2, 3], [0, 0, 0, 1], [-1, 5, -1, 5], [0] * 4)
    [0, 1, 0, 2]
    """
    members: dict[tuple[int, int], list[int]] = defaultdict(list)
    taken: dict[int, set[tuple[int, int]]] = defaultdict(set)
    new = list(rows)
    for op, number in enumerate(group):
        if number < 0:
            taken[part[op]].add((columns[op], rows[op]))
        else:
            members[part[op], number].append(op)
    if not members:
        return new
    for (place, _), ops in members.items():
        within = {row: i for i, row in enumerate(sorted({rows[op] for op in ops}))}
        reach = range(min(columns[op] for op in ops), max(columns[op] for op in ops) + 1)
        base = min(rows[op] for op in ops)
        while any((column, base + row) in taken[place] for column in reach for row in range(len(within))):
            base += 1
        for op in ops:
            new[op] = base + within[rows[op]]
        taken[place].update((column, base + row) for column in reach for row in range(len(within)))
    used: dict[int, set[int]] = defaultdict(set)
    for op, row in enumerate(new):
        used[part[op]].add(row)
    dense = {place: {row: i for i, row in enumerate(sorted(all_rows))} for place, all_rows in used.items()}
    return [dense[part[op]][row] for op, row in enumerate(new)]
