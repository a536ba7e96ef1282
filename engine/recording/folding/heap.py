"""What rows name in the heap: where it is, and moving it to another place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.recording.folding.items import Flags, Ints, set_of
from engine.recording.rows import Form, Kind
from engine.recording.stepping import Rows

BYTES, INTS, RECORD = 0, 1, 2
_OF_KINDS: tuple[tuple[str, int, tuple[Kind, ...]], ...] = (
    ("blob", BYTES, (Kind.STRING, Kind.DEFINITION, Kind.TYPE, Kind.LOOP_SOURCE, Kind.META, Kind.SOURCE, Kind.NOTE)),
    ("blob", BYTES, (Kind.FOLD, Kind.PICTURE, Kind.FILE)),
    ("value", BYTES, (Kind.SOURCE, Kind.FILE)),
    ("blob", INTS, (Kind.RUN, Kind.OPTIMISE, Kind.REWRITE, Kind.BATCHED, Kind.FREED)),
    ("value", INTS, (Kind.RUN, Kind.OPTIMISE, Kind.REWRITE)),
    ("value", RECORD, (Kind.FED, Kind.RAN, Kind.FETCHED, Kind.WRITTEN, Kind.BACKWARD, Kind.ACCUMULATED, Kind.CLEARED)),
)
_PLAIN = [(column, sort, set_of(*kinds)) for column, sort, kinds in _OF_KINDS]


@dataclass(slots=True)
class Named:
    """One column of some rows that holds offsets of one sort."""

    column: str
    sort: int
    rows: Ints


def named(rows: Rows) -> list[Named]:
    """All places of ``rows`` that name something in the heap; of lists of values in it, only the lists."""
    kind = rows["kind"]
    found = [Named(column, sort, np.flatnonzero(kinds[kind])) for column, sort, kinds in _PLAIN]
    assigned = np.flatnonzero(kind == Kind.ASSIGNED)
    text = assigned[rows["b"][assigned] == Form.TEXT]
    found += [Named("value", BYTES, text), Named("blob", BYTES, text)]
    found.append(Named("value", RECORD, assigned[rows["b"][assigned] == Form.ARRAY]))
    found.append(Named("blob", INTS, np.flatnonzero((kind == Kind.NODE) & (rows["flags"] == 0))))
    sent = np.flatnonzero(kind == Kind.GRADIENT)
    short = sent[rows["flags"][sent] == 1]
    found.append(Named("value", RECORD, short[rows["worker"][short] > 0]))
    found.append(Named("blob", RECORD, short[rows["worker"][short] > 1]))
    found.append(Named("blob", INTS, sent[rows["flags"][sent] == 0]))
    kept = [Named(one.column, one.sort, one.rows[rows[one.column][one.rows] >= 0]) for one in found]
    return [one for one in kept if len(one.rows)]


def lists_of_values(rows: Rows, heap: NDArray[np.uint8]) -> Ints:
    """Where in the heap, in words of four bytes, the entries of those lists stand that hold offsets of values."""
    chosen = rows[(rows["kind"] == Kind.GRADIENT) & (rows["flags"] == 0) & (rows["blob"] >= 0)]
    begin = chosen["blob"] // 4
    return ragged(begin + 1, heap.view("<u4")[begin].astype(np.int64))


def ragged(begin: Ints, size: Ints) -> Ints:
    """``begin[i], begin[i] + 1 … begin[i] + size[i] - 1`` for each ``i``, one after the other.

    >>> ragged(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    places: Ints = np.repeat(begin, size) + within
    return places


def move(rows: Rows, heap: NDArray[np.uint8], at: int) -> NDArray[np.uint8]:
    """Everything that ``rows`` name, as it stands in a heap from offset ``at`` on.

    ``rows`` are changed to name it there; ``heap`` is all of the old one.
    """
    words, longs = heap.view("<u4"), heap.view("<u8")
    places = named(rows)
    entries = lists_of_values(rows, heap)
    inner = words[entries].view("<i4").astype(np.int64)
    inner_known = inner >= 0
    offsets, sizes = [inner[inner_known]], [_record_size(words, inner[inner_known])]
    for one in places:
        found = rows[one.column][one.rows].astype(np.int64)
        size = words[found // 4].astype(np.int64)
        if one.sort == RECORD:
            size = _record_size(words, found)
        else:
            size = 4 + (4 * size if one.sort == INTS else size)
        offsets.append(found)
        sizes.append(size)
    every, first = np.unique(np.concatenate(offsets), return_index=True)
    size = (np.concatenate(sizes)[first] + 7) // 8
    if len(every) and int((every + 8 * size).max()) > len(heap):
        raise ValueError("a row names what is not in the heap")
    moved = at + 8 * (np.cumsum(size) - size)
    copy = longs[ragged(every // 8, size)]
    for one in places:
        rows[one.column][one.rows] = moved[np.searchsorted(every, rows[one.column][one.rows])]
    if len(inner):
        entries = lists_of_values_at(rows, copy.view("<u4"), at)
        target = np.where(inner_known, moved[np.searchsorted(every, np.maximum(inner, every[0]))], -1)
        copy.view("<i4")[entries] = target
    return copy.view(np.uint8)


def lists_of_values_at(rows: Rows, words: NDArray[np.uint32], at: int) -> Ints:
    """The same as :func:`lists_of_values` in a heap whose first word is that of offset ``at``."""
    chosen = rows[(rows["kind"] == Kind.GRADIENT) & (rows["flags"] == 0) & (rows["blob"] >= 0)]
    begin = (chosen["blob"] - at) // 4
    return ragged(begin + 1, words[begin].astype(np.int64))


def _record_size(words: NDArray[np.uint32], offsets: Ints) -> Ints:
    size: Ints = 16 + words[offsets // 4 + 2].astype(np.int64)
    return size


def not_finite(rows: Rows, heap: NDArray[np.uint8], dtypes: list[np.dtype[np.generic] | None]) -> Flags:
    """Which rows hold a number that is NaN or infinite. ``dtypes`` are those of the types, by number."""
    odd = np.zeros(len(rows), dtype=bool)
    floats = np.flatnonzero((rows["kind"] == Kind.ASSIGNED) & (rows["b"] == Form.FLOAT))
    odd[floats] = ~np.isfinite(np.ascontiguousarray(rows["value"][floats]).view("<f8"))
    words, longs = heap.view("<u4"), heap.view("<u8")
    for one in named(rows):
        if one.sort != RECORD:
            continue
        at = rows[one.column][one.rows].astype(np.int64)
        types, forms, size = words[at // 4], words[at // 4 + 1], words[at // 4 + 2].astype(np.int64)
        # Of summaries: how many are NaN, how many infinite.
        whole = np.flatnonzero(forms == 1)
        odd[one.rows[whole]] |= (longs[at[whole] // 8 + 6] | longs[at[whole] // 8 + 7]) > 0
        for number in np.unique(types[forms == 0]).tolist():
            dtype = dtypes[number] if number < len(dtypes) else None
            if dtype is None or dtype.kind not in "fc":
                continue
            mine = np.flatnonzero((types == number) & (forms == 0))
            size_here = int(size[mine[0]])
            width = -(-size_here // 8)
            piece = max((1 << 19) // max(width, 1), 1)
            for begin in range(0, len(mine), piece):
                part = mine[begin : begin + piece]
                block = longs[(at[part] // 8 + 2)[:, None] + np.arange(width)].view(np.uint8)[:, :size_here]
                numbers = np.ascontiguousarray(block).view(dtype)
                odd[one.rows[part]] |= ~np.isfinite(numbers).all(axis=1)
    return odd
