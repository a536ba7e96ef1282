"""Where the forward ops stand on the grid: Graphviz's columns and rows, made straight and packed like lines of text."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.layout import dot, layering
from app.layout.blocks import blocks
from app.layout.budget import Budget
from app.layout.layering import Edge, Spot
from app.layout.lines import lines

LINE = 12
"""Parts that have nothing to do with each other stand side by side up to this many columns, then below."""


@dataclass(frozen=True)
class Forward:
    """``cells`` has (column, row) of each op; ``engine`` and ``note`` as in ``docs/layout.md``."""

    cells: list[tuple[int, int]]
    engine: str
    note: str


def arrange(
    count: int,
    edges: Sequence[Edge],
    indented: Collection[int] = (),
    weights: Sequence[float] = (),
    kin: Sequence[frozenset[int]] = (),
    ties: Sequence[Edge] = (),
    groups: Sequence[int] = (),
    budget: Budget | None = None,
) -> Forward:
    """Place ``count`` ops; ``edges`` lead from lower to higher numbers.

    The chain with the largest sum of ``weights`` (1 each by default) gets the uppermost row of its part; ``kin`` are
    the variables that each op reads (see :func:`~app.layout.lines.lines`). The cell left of an op in ``indented``
    stays free; ``ties`` are pairs of ops that belong together without one reading the other; those of a group
    (``groups``, -1: none) stand in rows of their own. Graphviz gets its share of ``budget``.

    >>> arrange(0, [])
    Forward(cells=[], engine='dot', note='')
    """
    if not count:
        return Forward([], "dot", "")
    budget = budget or Budget(dot.DEADLINE)
    engine, note = "dot", ""
    try:
        with budget.outside():
            placed = dot.place(count, edges, budget.share(dot.SHARE))
        spots = _joined(placed, edges)
    except dot.DotError as error:
        engine, note = "layered", f"{error}, so this graph has a simpler layout."
        spots = layering.layered(count, edges)
    parts: dict[int, list[int]] = defaultdict(list)
    number = layering.components(count, [*edges, *ties])
    for op, part in enumerate(number):
        parts[part].append(op)
    rows = lines(spots, edges, indented, weights or [1.0] * count, kin or [frozenset()] * count, number, budget)
    rows = blocks([column for column, _ in spots], rows, groups or [-1] * count, number)
    cells: dict[int, tuple[int, int]] = {}
    for members in parts.values():
        left = min(spots[op][0] for op in members)
        cells.update({op: (spots[op][0] - left, rows[op]) for op in members})
    return Forward(_packed(count, parts, cells, indented), engine, note)


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


def _packed(
    count: int, parts: dict[int, list[int]], snapped: dict[int, tuple[int, int]], indented: Collection[int]
) -> list[tuple[int, int]]:
    widest = max(max(snapped[op][0] for op in members) + 1 for members in parts.values())
    # Many small parts fill a page that is wider than high, not a column.
    area = sum(max(snapped[op][0] for op in m) + 2 for m in parts.values())
    limit = max(LINE, widest, math.isqrt(2 * area))
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
