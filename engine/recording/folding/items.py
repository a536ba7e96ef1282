"""The passes that stand in a journal, and which of them did the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.rows import STATE, TOLD, Kind
from engine.recording.stepping import Rows

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MORE = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(29)


def set_of(*kinds: Kind) -> Flags:
    """A table of 256 flags: which kinds are in the set."""
    flags = np.zeros(256, dtype=bool)
    flags[[int(kind) for kind in kinds]] = True
    return flags


# What a row is like beside its kind and its place in the program. Values, times and numbers of nodes are not.
_TELLS = {
    "a": set_of(Kind.LINE, Kind.LOOP, Kind.CALLED, Kind.NODE, Kind.ERROR, Kind.FAILED, Kind.FOLD),
    "b": set_of(Kind.LINE, Kind.NODE),
    "c": set_of(Kind.CALLED, Kind.OUTPUT, Kind.ASKED),
    "d": set_of(Kind.WRITTEN),
}
TABLES = set_of(
    *(Kind.STRING, Kind.DEFINITION, Kind.TYPE, Kind.SPAN, Kind.LOOP_SOURCE, Kind.META, Kind.SOURCE, Kind.NOTE),
    *(Kind.GRAPH, Kind.REGION, Kind.OPTIMISE, Kind.FILE, Kind.END),
)
"""Rows that others name by their number: they stay whatever happens."""
ABOUT_NODES = set_of(Kind.SERVES, Kind.NAMED, Kind.MEMBER, Kind.OWNED)
_ASIDE = TABLES | ABOUT_NODES | set_of(Kind.ASSIGNED, Kind.DELETED, Kind.CHARTED)
"""Rows that do not count when passes are compared. A variable is told only when it changes: that is no other way."""
NEW = set_of(Kind.GRAPH, Kind.REGION, Kind.OPTIMISE, Kind.SPECIALISED, Kind.SERVES, Kind.END)
"""What a pass does only once: it stays whole."""
WORTH_TELLING = set_of(Kind.OUTPUT, Kind.ASKED, Kind.PICTURE, Kind.ERROR, Kind.FAILED)
_FLAGGED = ~set_of(Kind.NODE, Kind.GRADIENT)


@dataclass(slots=True)
class Items:
    """Passes and folds, by activation and then in order. ``end`` is where the next of the same activation begins (the
    number of rows for the last), ``row`` is that of the ``LOOP`` or ``FOLD``."""

    row: Ints
    first: Ints
    end: Ints
    loop: Ints
    activation: Ints
    is_fold: Flags
    last: Flags
    before_last: Flags
    begins: Flags

    def __len__(self) -> int:
        return len(self.row)


def items_of(rows: Rows) -> Items:
    """All passes and folds of ``rows``."""
    kind = rows["kind"]
    found = np.flatnonzero((kind == Kind.LOOP) | (kind == Kind.FOLD))
    activation = rows["b"][found].astype(np.int64)
    order = np.lexsort((found, activation))
    row, activation = found[order], activation[order]
    is_fold = kind[row] == Kind.FOLD
    # From the second pass on, the line of the header comes right before the pass and belongs to it.
    above = np.maximum(row - 1, 0)
    headed = (kind[above] == Kind.LINE) & ~is_fold & (row > 0) & (rows["c"][row] > 0)
    headed &= (rows["line"][above] == rows["line"][row]) & (rows["frame"][above] == rows["frame"][row])
    first = np.where(headed, above, row)
    last = np.append(activation[1:] != activation[:-1], True) if len(row) else np.zeros(0, dtype=bool)
    begins = np.append(True, last[:-1]) if len(row) else last
    end = np.append(first[1:], len(rows))[: len(row)]
    end[last] = len(rows)
    return Items(
        row, first, end, rows["a"][row].astype(np.int64), activation, is_fold, last, np.append(last[1:], False), begins
    )


def looks(rows: Rows) -> tuple[NDArray[np.uint64], Flags]:
    """A number for what each row is like, and whether it counts."""
    kind = rows["kind"]
    flags = rows["flags"]
    left = ((flags == STATE) | (flags == TOLD)) & _FLAGGED[kind]
    counts = ~(_ASIDE[kind] | left)
    mixed = kind.astype(np.uint64) | flags.astype(np.uint64) << np.uint64(8)
    mixed |= np.where(kind == Kind.NODE, rows["worker"], 0).astype(np.uint64) << np.uint64(16)
    columns = [rows["line"], rows["span"], *(np.where(told[kind], rows[name], 0) for name, told in _TELLS.items())]
    for column in columns:
        mixed = (mixed ^ column.astype(np.int64).view(np.uint64)) * _ODD
        mixed ^= mixed >> _SHIFT
    return np.where(counts, mixed, np.uint64(0)), counts


def kinds_of(rows: Rows, items: Items, odd: Flags) -> Ints:
    """A number for each item, the same for passes of one loop that did the same: the same rows in the same order, and
    alike in having numbers that are not finite (``odd``, one flag a row)."""
    value, counts = looks(rows)
    place = np.cumsum(counts) - 1
    size = int(place[-1]) + 1 if len(place) else 0
    power = np.cumprod(np.full(size + 1, _MORE, dtype=np.uint64))
    # Sums of value * base ** place; dividing by base ** (first place) makes those of equal passes equal.
    terms = np.where(counts, value * power[np.maximum(place, 0)], np.uint64(0))
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(terms, dtype=np.uint64)])
    before = np.concatenate([[0], np.cumsum(counts)])
    inverse = np.cumprod(np.full(size + 1, _inverse(_MORE), dtype=np.uint64))
    total = (sums[items.end] - sums[items.first]) * inverse[np.minimum(before[items.first], size)]
    total = (total ^ (before[items.end] - before[items.first]).astype(np.uint64)) * _ODD
    total = (total ^ items.loop.astype(np.uint64)) * _ODD
    total ^= within(odd, items).astype(np.uint64)
    kinds: Ints = np.unique(total, return_inverse=True)[1].astype(np.int64)
    return kinds


def _inverse(number: np.uint64) -> np.uint64:
    """The number that ``number`` (odd) has to be multiplied with to give 1, modulo 2 ** 64."""
    return np.uint64(pow(int(number), -1, 1 << 64))


def within(flags: Flags, items: Items) -> Flags:
    """Which items have a row with a flag."""
    before = np.concatenate([[0], np.cumsum(flags)])
    some: Flags = before[items.end] > before[items.first]
    return some


def leaks(rows: Rows, items: Items) -> Flags:
    """Which items hold the beginning of a call and not its end, or the end of one and not its beginning."""
    kind = rows["kind"]
    called, returned = np.flatnonzero(kind == Kind.CALLED), np.flatnonzero(kind == Kind.RETURNED)
    size = int(max(rows["frame"].max(initial=0), 0)) + 1
    began, ended = np.full(size, -1, dtype=np.int64), np.full(size, len(rows), dtype=np.int64)
    began[rows["frame"][called]] = called
    ended[rows["frame"][returned]] = returned
    latest = _extreme(np.maximum, called, ended[rows["frame"][called]], items, -1)
    earliest = _extreme(np.minimum, returned, began[rows["frame"][returned]], items, len(rows))
    leak: Flags = (latest >= items.end) | (earliest < items.first)
    return leak


def _extreme(ufunc: Any, places: Ints, values: Ints, items: Items, nothing: int) -> Ints:
    """The largest or smallest of the values whose place lies in each item."""
    if not len(places):
        return np.full(len(items), nothing, dtype=np.int64)
    low, high = np.searchsorted(places, items.first), np.searchsorted(places, items.end)
    padded = np.append(values, nothing)
    found = ufunc.reduceat(padded, np.column_stack([low, high]).ravel())[::2]
    result: Ints = np.where(high > low, found, nothing)
    return result
