"""Columns of integers: the smallest of four encodings, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
SHORTEST, LONGEST, WINDOW, STRETCH = 24, 40_000, 12, 4000
"""Periods that are looked for; how many differences in a row have to come again; where such a row is chosen from."""
Encoded = list[int] | dict[str, list[int]]


def _width(numbers: Ints) -> int:
    """Characters that ``numbers`` take in JSON, commas included."""
    if not numbers.size:
        return 0
    size = np.abs(numbers)
    digits = np.ones(len(numbers), dtype=np.int64)
    bound = 10
    top = int(size.max())
    while bound <= top:
        digits += size >= bound
        bound *= 10
    return int(digits.sum() + np.count_nonzero(numbers < 0) + len(numbers))


def encode(column: Any, periods: Iterable[int] = ()) -> Encoded:
    """The shortest way to write a column: plain, run lengths, differences, or what changes from one period to the next.

    ``periods`` are tried besides those that the column shows by itself.

    >>> encode([5] * 30)
    {'rle': [5, 30]}
    >>> encode([1000, 1001, 1002, 1003, 1004, 1005])
    {'delta': [1000, 1, 1, 1, 1, 1]}
    >>> encode([3, 1, 2])
    [3, 1, 2]
    >>> encode([1, 40, 5] * 100)
    {'period': [3, 1, 40, 5, 0, 0, 0, 0, 294]}
    """
    numbers: Ints = np.asarray(column, dtype=np.int64)
    if len(numbers) < 2:
        short: list[int] = numbers.tolist()
        return short
    steps = np.diff(numbers)
    differences = np.concatenate([numbers[:1], steps])
    changes = np.flatnonzero(steps)
    starts = np.concatenate([[0], changes + 1])
    values = numbers[starts]
    counts = np.diff(np.append(starts, len(numbers)))
    plain_width = _width(numbers)
    delta_width = _width(differences) + 10
    rle_width = _width(values) + _width(counts) + 8
    smallest = min(plain_width, delta_width, rle_width)
    if len(numbers) >= 3 * SHORTEST and smallest > 64:
        periodic, periodic_width = _periodic(numbers, [*dict.fromkeys([*periods, *periods_of(numbers)])])
        if periodic and periodic_width < smallest:
            return {"period": periodic}
    if rle_width < plain_width and rle_width <= delta_width:
        pairs: list[int] = np.column_stack([values, counts]).ravel().tolist()
        return {"rle": pairs}
    if delta_width < plain_width:
        deltas: list[int] = differences.tolist()
        return {"delta": deltas}
    plain: list[int] = numbers.tolist()
    return plain


def _periodic(numbers: Ints, periods: Iterable[int]) -> tuple[list[int], int]:
    """The best way to write a column by periods, and its width; an empty list if it has none.

    A column of a loop's passes repeats, up to what grows in each by as much as in the one before.
    """
    best: list[int] = []
    best_width = 1 << 62
    for period in periods:
        if 3 * period >= len(numbers):
            continue
        growth = numbers[period:] - numbers[:-period]
        change = growth[period:] - growth[:-period]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(change)) + 1])
        if 2 * len(starts) + 2 * period >= len(numbers):
            continue
        pairs = np.column_stack([change[starts], np.diff(np.append(starts, len(change)))]).ravel()
        written = np.concatenate([[period], numbers[:period], growth[:period], pairs])
        width = _width(written) + 11
        if width < best_width:
            best, best_width = written.tolist(), width
    return best, best_width


def periods_of(column: Ints) -> list[int]:
    """A few periods that the differences of a column may have: where those from one place on come again."""
    differences = np.diff(column)
    total = len(differences)
    found: dict[int, None] = {}
    for part in (2, 3, 5):
        at = total - total // part
        stretch = differences[at : at + STRETCH]
        if len(stretch) <= 2 * WINDOW:
            continue
        # What is rare there, but not alone, tells one place from another best.
        known, counts = np.unique(stretch, return_counts=True)
        several = counts > 1
        rare = known[several][np.argmin(counts[several])] if several.any() else stretch[0]
        for begin in {at, at + int(np.flatnonzero(stretch == rare)[0])}:
            for period in _returns(differences, begin):
                found[period] = None
    return [period for period in found if 2 <= period <= total // 3]


def _returns(differences: Ints, at: int) -> list[int]:
    """How long before ``at`` the same ``WINDOW`` differences stood, up to three times."""
    window = differences[at : at + WINDOW]
    begin = max(at - LONGEST, 0)
    if len(window) < WINDOW:
        return []
    places = begin + np.flatnonzero(differences[begin:at] == window[0])[::-1][:4096]
    for offset in range(1, WINDOW):
        places = places[differences[places + offset] == window[offset]]
    distances: list[int] = (at - places[:3]).tolist()
    return distances


def encode_table(table: Mapping[str, Any]) -> dict[str, Encoded]:
    """All columns of a table; a period that one of them shows is tried on the others."""
    columns = {name: np.asarray(column, dtype=np.int64) for name, column in table.items()}
    seen: dict[int, int] = {}
    for column in columns.values():
        if len(column) >= 3 * SHORTEST:
            for period in periods_of(column):
                seen[period] = seen.get(period, 0) + 1
    shared = sorted(seen, key=lambda period: -seen[period])[:3]
    return {name: encode(column, shared) for name, column in columns.items()}


class ColumnError(ValueError):
    """A column that cannot be read."""


def decode(column: Any, maximum: int = 5_000_000) -> Ints:
    """The integers of a column in any encoding. :raises ColumnError: it is none, or longer than ``maximum``.

    >>> decode({"rle": [7, 3]}).tolist()
    [7, 7, 7]
    """
    kind, numbers = "plain", column
    if isinstance(column, dict):
        if len(column) != 1 or next(iter(column)) not in ("rle", "delta", "period"):
            raise ColumnError("a column is an array, {'rle': […]}, {'delta': […]} or {'period': […]}")
        kind, numbers = next(iter(column.items()))
    if not isinstance(numbers, list) or len(numbers) > 2 * maximum:
        raise ColumnError("a column is no array, or too long")
    if not all(type(number) is int and -(2**62) < number < 2**62 for number in numbers):
        raise ColumnError("a column holds something that is no 63-bit integer")
    array: Ints = np.array(numbers, dtype=np.int64)
    if kind == "rle":
        array = _repeated(array, maximum)
    elif kind == "period":
        array = _from_periods(array, maximum)
    elif kind == "delta":
        if array.size and float(np.abs(array.astype(np.float64)).sum()) >= 2.0**62:
            raise ColumnError("differences add up beyond 62 bits")
        array = np.cumsum(array)
    if len(array) > maximum:
        raise ColumnError("a column is too long")
    return array


def _repeated(pairs: Ints, maximum: int) -> Ints:
    if len(pairs) % 2:
        raise ColumnError("run lengths come in pairs")
    counts = pairs[1::2]
    if counts.size and (int(counts.min()) < 0 or int(counts.max()) > maximum or int(counts.sum()) > maximum):
        raise ColumnError("run lengths are negative or too large")
    repeated: Ints = np.repeat(pairs[0::2], counts)
    return repeated


def _from_periods(array: Ints, maximum: int) -> Ints:
    """``x[i] = x[i - period] + growth[i]``, ``growth[i] = growth[i - period] + change[i]``."""
    period = int(array[0]) if len(array) else 0
    if period < 1 or 2 * period >= len(array) or period > maximum:
        raise ColumnError("a period is not followed by its first values and what they grow by")
    change = _repeated(array[1 + 2 * period :], maximum)
    rounds = -(-len(change) // period) + 2
    padded = np.zeros((rounds, period), dtype=np.int64)
    padded[0], padded[1] = array[1 : 1 + period], array[1 + period : 1 + 2 * period]
    padded[2:].reshape(-1)[: len(change)] = change
    if float(np.abs(padded.astype(np.float64)).sum()) * rounds >= 2.0**62:
        raise ColumnError("differences add up beyond 62 bits")
    padded[1:] = np.cumsum(padded[1:], axis=0)
    whole: Ints = np.cumsum(padded, axis=0).reshape(-1)
    return whole[: 2 * period + len(change)]
