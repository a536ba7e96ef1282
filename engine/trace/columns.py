"""Columns of integers: the smallest of three encodings, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
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


def encode(column: Any) -> Encoded:
    """The shortest way to write a column: plain, run lengths, or differences.

    >>> encode([5] * 30)
    {'rle': [5, 30]}
    >>> encode([1000, 1001, 1002, 1003, 1004, 1005])
    {'delta': [1000, 1, 1, 1, 1, 1]}
    >>> encode([3, 1, 2])
    [3, 1, 2]
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
    if rle_width < plain_width and rle_width <= delta_width:
        pairs: list[int] = np.column_stack([values, counts]).ravel().tolist()
        return {"rle": pairs}
    if delta_width < plain_width:
        deltas: list[int] = differences.tolist()
        return {"delta": deltas}
    plain: list[int] = numbers.tolist()
    return plain


class ColumnError(ValueError):
    """A column that cannot be read."""


def decode(column: Any, maximum: int = 5_000_000) -> Ints:
    """The integers of a column in any encoding. :raises ColumnError: it is none, or longer than ``maximum``.

    >>> decode({"rle": [7, 3]}).tolist()
    [7, 7, 7]
    """
    kind, numbers = "plain", column
    if isinstance(column, dict):
        if len(column) != 1 or next(iter(column)) not in ("rle", "delta"):
            raise ColumnError("a column is an array, {'rle': […]} or {'delta': […]}")
        kind, numbers = next(iter(column.items()))
    if not isinstance(numbers, list) or len(numbers) > 2 * maximum:
        raise ColumnError("a column is no array, or too long")
    if not all(type(number) is int and -(2**62) < number < 2**62 for number in numbers):
        raise ColumnError("a column holds something that is no 63-bit integer")
    array: Ints = np.array(numbers, dtype=np.int64)
    if kind == "rle":
        if len(array) % 2:
            raise ColumnError("run lengths come in pairs")
        counts = array[1::2]
        if counts.size and (int(counts.min()) < 0 or int(counts.max()) > maximum or int(counts.sum()) > maximum):
            raise ColumnError("run lengths are negative or too large")
        array = np.repeat(array[0::2], counts)
    elif kind == "delta":
        if array.size and float(np.abs(array.astype(np.float64)).sum()) >= 2.0**62:
            raise ColumnError("differences add up beyond 62 bits")
        array = np.cumsum(array)
    if len(array) > maximum:
        raise ColumnError("a column is too long")
    return array
