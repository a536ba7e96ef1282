"""Float32 sums in the order in which PyTorch adds, so that their last digits agree.

Rows of 8 numbers (a vector register) are added in four series, which are then added to each other; every 16 rows of a
series go into a sum of their own (a cascade), so that long sums stay exact.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.tensor_type import Array

LANES, SERIES, LEVELS = 8, 4, 4
MOST = 1 << 15
"""From so many numbers on PyTorch shares the work between threads; the order is then anybody's."""
_add: Any = np.add.reduce
_f = np.dtype(np.float32)


def cascade(rows: Array) -> Array:
    """The sum over the first axis, in order, with partial sums of 16 rows or more."""
    count = len(rows)
    step = 1 << max(4, (count - 1).bit_length() // LEVELS if count else 0)
    levels = []
    while True:
        whole = count // step * step
        levels.append(_in_order(rows[whole:]))
        if not whole or len(levels) == LEVELS:
            break
        rows = _in_order(rows[:whole].reshape(whole // step, step, *rows.shape[1:]).swapaxes(0, 1))
        count = len(rows)
    total = levels[0]
    for level in levels[1:]:
        total = total + level
    return total


def _in_order(rows: Array) -> Array:
    """The sum over the first axis, strictly from first to last."""
    if rows.ndim > 1 and rows[0:1].size > 1:
        return _add(np.ascontiguousarray(rows), 0)  # type: ignore[no-any-return]  # NumPy goes row by row
    if not len(rows):
        return np.zeros(rows.shape[1:], rows.dtype)
    return np.add.accumulate(rows, 0)[-1]  # type: ignore[no-any-return]


def in_series(rows: Array) -> Array:
    """The sum over the first axis in four series; what is left over goes to the first one."""
    count = len(rows) // SERIES
    if count:
        partial = cascade(rows[: count * SERIES].reshape(count, SERIES, *rows.shape[1:]))
        first, rest = partial[0], [partial[1], partial[2], partial[3]]
    else:
        first, rest = np.zeros(rows.shape[1:], rows.dtype), []
    for row in [*rows[count * SERIES :], *rest]:
        first = first + row
    return first  # type: ignore[no-any-return]


def of_last_axis(a: Array) -> Array:
    """Sums along the last axis."""
    by_row = np.moveaxis(a, -1, 0)
    if a.shape[-1] < LANES:
        return in_series(by_row)
    count = a.shape[-1] // LANES
    lanes = in_series(np.moveaxis(a[..., : count * LANES].reshape(*a.shape[:-1], count, LANES), -2, 0))
    left = by_row[count * LANES :]
    return _in_order(np.concatenate([left, np.moveaxis(lanes, -1, 0)]))


def of_rows(a: Array) -> Array:
    """Sums of an array's columns: over the axis before the last one."""
    rows, columns = np.moveaxis(a, -2, 0), a.shape[-1]
    group = SERIES * LANES if columns >= LANES else SERIES
    straight = columns // group * group
    parts = []
    if straight:
        parts.append(cascade(rows[..., :straight]))
    if straight < columns:
        parts.append(in_series(rows[..., straight:]))
    return parts[0] if len(parts) == 1 else np.concatenate(parts, -1)


def summed(a: Array, axis: Any = None, keepdims: bool = False) -> Array:
    """What ``a.sum(axis)`` is in PyTorch.

    >>> summed(np.array([1e8, 1, 1, 1, -1e8], np.float32)).item()
    3.0
    """
    if a.dtype != _f or not 1 < a.size < MOST or not a.flags.c_contiguous:
        return _add(a, axis, None, None, keepdims)  # type: ignore[no-any-return]
    rank = a.ndim
    if rank == 1 and a.size < SERIES:
        return _add(a, axis, None, None, keepdims)  # type: ignore[no-any-return]
    axes = range(rank) if axis is None else [axis % rank] if isinstance(axis, int) else sorted(i % rank for i in axis)
    gone = [i for i in axes if a.shape[i] != 1]
    shape = [1 if i in axes else size for i, size in enumerate(a.shape) if keepdims or i not in axes]
    if not gone:
        return a.reshape(shape) + 0
    first, last = gone[0], gone[-1]
    if any(a.shape[i] != 1 and i not in axes for i in range(first, last)):
        return _add(a, axis, None, None, keepdims)  # type: ignore[no-any-return]
    after = math.prod(a.shape[last + 1 :])
    blocks = a.reshape(math.prod(a.shape[:first]), -1, after)
    total = of_last_axis(blocks[..., 0]) if after == 1 else of_rows(blocks)
    return total.reshape(shape)


def mean(a: Array, axis: Any = None, keepdims: bool = False, ddof: int = 0) -> Array:
    """The sum divided by ``n - ddof``."""
    total = summed(a, axis, keepdims)
    count = a.size // max(total.size, 1) - ddof
    return np.asarray(np.true_divide(total, count), total.dtype)
