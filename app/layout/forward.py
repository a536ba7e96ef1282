"""Where the forward ops stand on the grid: Graphviz's columns and rows, made straight and packed like lines of text."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.layout import dot, layering
from app.layout.layering import Edge, Spot

LINE = 12
"""Parts that have nothing to do with each other stand side by side up to this many columns, then below."""


@dataclass(frozen=True)
class Forward:
    """``cells`` has (column, row) of each op; ``engine`` and ``note`` as in ``docs/layout.md``."""

    cells: list[tuple[int, int]]
    engine: str
    note: str


def arrange(count: int, edges: Sequence[Edge], indented: Collection[int] = (), deadline: float = dot.DEADLINE) -> Forward:
    """Place ``count`` ops; ``edges`` lead from lower to higher numbers. Ops in ``indented`` keep the cell at their left free
    when they begin a part that is not the first of its line.

    >>> arrange(0, [])
    Forward(cells=[], engine='dot', note='')
    """
    if not count:
        return Forward([], "dot", "")
    engine, note = "dot", ""
    try:
        spots = _joined(dot.place(count, edges, deadline), edges)
    except dot.DotError as error:
        engine, note = "layered", f"{error}, so this graph has a simpler layout."
        spots = layering.layered(count, edges)
    parts: dict[int, list[int]] = defaultdict(list)
    for op, part in enumerate(layering.components(count, edges)):
        parts[part].append(op)
    readers, reads = _neighbours(edges)
    snapped: dict[int, tuple[int, int]] = {}
    for members in parts.values():
        rows = _snap({op: spots[op] for op in members})
        _straighten(members, spots, rows, reads, readers)
        left = min(spots[op][0] for op in members)
        used = {row: i for i, row in enumerate(sorted(set(rows.values())))}
        snapped.update({op: (spots[op][0] - left, used[rows[op]]) for op in members})
    return Forward(_packed(count, parts, snapped, indented), engine, note)


def _neighbours(edges: Sequence[Edge]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    readers: dict[int, list[int]] = defaultdict(list)
    reads: dict[int, list[int]] = defaultdict(list)
    for source, target in edges:
        readers[source].append(target)
        reads[target].append(source)
    return readers, reads


def _joined(spots: list[Spot], edges: Sequence[Edge]) -> list[Spot]:
    """Parts that hang together only by edges that Graphviz did not see: move each behind what it reads."""
    rank = layering.ranks(len(spots), edges)
    short = [(s, t) for s, t in edges if rank[t] - rank[s] <= layering.LONG]
    piece = layering.components(len(spots), short)
    if not any(piece[s] != piece[t] for s, t in edges):
        return spots
    shift: dict[int, int] = defaultdict(int)
    for source, target in sorted(edges, key=lambda edge: rank[edge[1]]):
        if piece[source] != piece[target]:
            behind = spots[source][0] + shift[piece[source]] + 1 - spots[target][0]
            shift[piece[target]] = max(shift[piece[target]], behind)
    return [(column + shift[piece[op]], row) for op, (column, row) in enumerate(spots)]


def _snap(spots: dict[int, Spot]) -> dict[int, int]:
    """Whole rows, from 0, the busier half on top (beside the shelf)."""
    heights = [row for _, row in spots.values()]
    top, bottom = min(heights), max(heights)
    flip = sum(heights) / len(heights) > (top + bottom) / 2 + 1e-6
    rows: dict[int, int] = {}
    columns: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for op, (column, row) in spots.items():
        columns[column].append((bottom - row if flip else row - top, op))
    for entries in columns.values():
        previous = -1
        for row, op in sorted(entries):
            rows[op] = previous = max(previous + 1, math.floor(row + 0.49))
    return rows


def _straighten(
    members: Sequence[int],
    spots: Sequence[Spot],
    rows: dict[int, int],
    reads: dict[int, list[int]],
    readers: dict[int, list[int]],
) -> None:
    """Pull an op into the row of what it reads first, if it is read first there and the way is free."""
    taken = {(spots[op][0], rows[op]) for op in members}
    for op in sorted(members, key=lambda op: (spots[op][0], rows[op])):
        if not reads[op]:
            continue
        before = min(reads[op], key=lambda source: (rows[source], source))
        column, row = spots[op][0], rows[before]
        if row >= rows[op] or any((c, row) in taken for c in range(spots[before][0] + 1, column + 1)):
            continue
        taken.discard((column, rows[op]))
        taken.add((column, row))
        rows[op] = row


def _packed(
    count: int, parts: dict[int, list[int]], snapped: dict[int, tuple[int, int]], indented: Collection[int]
) -> list[tuple[int, int]]:
    widest = max(max(snapped[op][0] for op in members) + 1 for members in parts.values())
    limit = max(LINE, widest)
    cells: list[tuple[int, int]] = [(0, 0)] * count
    column = top = height = 0
    for members in parts.values():
        width = max(snapped[op][0] for op in members) + 1
        indent = 1 if column and any(snapped[op][0] == 0 and op in indented for op in members) else 0
        if column and column + indent + width > limit:
            column, indent, top, height = 0, 0, top + height, 0
        for op in members:
            x, y = snapped[op]
            cells[op] = column + indent + x, top + y
        column += indent + width
        height = max(height, max(snapped[op][1] for op in members) + 1)
    return cells
