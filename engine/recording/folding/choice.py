"""Which passes are taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.recording.folding.items import NEW, WORTH_TELLING, Flags, Ints, Items, items_of, kinds_of, leaks, within
from engine.recording.rows import STATE, TOLD, Kind
from engine.recording.stepping import Rows

KEPT = 3
"""Passes of each kind that stay whole."""
KEPT_TELLING = 50
"""The same where a pass prints, fails, or has a NaN."""
SHORTEST = 30
"""A fold takes some rows itself: fewer than these are not worth one."""
ROWS_KEPT = 25_000
"""Rows of passes that stay only because they are unlike others."""


@dataclass(slots=True)
class Runs:
    """Neighbouring passes and folds of one loop that become one fold: rows ``first`` to ``end``; ``items`` numbers the
    run of each item, -1 for none."""

    first: Ints
    end: Ints
    of_item: Ints


def choose(
    rows: Rows, odd: Flags, static: Flags, *, innermost: bool, unlike: int = ROWS_KEPT
) -> tuple[Items, Runs] | None:
    """What can be folded, None if nothing can.

    ``odd`` says which rows have numbers that are not finite, ``static`` which make a node of a static graph (it stays
    in the graph for good); ``innermost``: only passes that hold no other loop; ``unlike``: rows of passes that may stay
    because they are unlike others.
    """
    items = items_of(rows)
    if not len(items):
        return None
    # A fold stands for itself: what a pass before it did ends where the fold begins, and it is no pass.
    passes = ~items.is_fold
    keep = items.begins | items.last | items.before_last | leaks(rows, items)
    kind = rows["kind"]
    keep |= within(NEW[kind] | static, items)
    if innermost:
        loops = np.concatenate([[0], np.cumsum((kind == Kind.LOOP) | (kind == Kind.FOLD))])
        keep |= loops[items.end] - loops[items.first] > 1
    telling = within((WORTH_TELLING[kind] & (rows["flags"] != TOLD) & (rows["flags"] != STATE)) | odd, items)
    kinds = kinds_of(rows, items, odd)
    keep |= _unusual(items, kinds, telling, passes, keep, unlike)
    gone = passes & ~keep
    return _runs(items, gone)


def _unusual(items: Items, kinds: Ints, telling: Flags, passes: Flags, kept: Flags, unlike: int) -> Flags:
    """Passes among the first few of their kind, as far as there is room for them beside those that are ``kept``."""
    order = np.argsort(items.first, kind="stable")
    order = order[passes[order]]
    by_kind = order[np.argsort(kinds[order], kind="stable")]
    grouped = kinds[by_kind]
    begin = np.flatnonzero(np.append(True, grouped[1:] != grouped[:-1])) if len(grouped) else np.zeros(0, dtype=int)
    rank = np.arange(len(grouped)) - np.repeat(begin, np.diff(np.append(begin, len(grouped))))
    few = np.zeros(len(items), dtype=bool)
    few[by_kind] = rank < np.where(telling[by_kind], KEPT_TELLING, KEPT)
    size = np.where(few[order] & ~kept[order], (items.end - items.first)[order], 0)
    few[order] &= np.cumsum(size) <= unlike
    return few


def _runs(items: Items, gone: Flags) -> tuple[Items, Runs] | None:
    # A fold beside a pass that goes becomes one with it, and so do two folds that have come together.
    together = (gone | items.is_fold) & ~items.last
    begins = together & ~(np.append(False, together[:-1]) & ~items.begins)
    number = np.cumsum(begins) - 1
    of_item = np.where(together, number, -1)
    count = int(begins.sum())
    passes = np.bincount(of_item[gone], minlength=count) if count else np.zeros(0, dtype=int)
    size = np.bincount(of_item[together], minlength=count) if count else passes
    if not count:
        return None
    last = np.flatnonzero(together & ~np.append(together[1:] & ~items.begins[1:], False))
    long = items.end[last] - items.first[np.flatnonzero(begins)] >= SHORTEST
    worth = ((passes > 0) & long) | (size > 1) & (passes < size)
    if not worth.any():
        return None
    renumbered = np.where(worth, np.cumsum(worth) - 1, -1)
    of_item = np.where(of_item >= 0, renumbered[np.maximum(of_item, 0)], -1)
    first_items = np.flatnonzero(begins)[worth]
    ends = items.end[last[worth]]
    return items, Runs(items.first[first_items], ends, of_item.astype(np.int64))
