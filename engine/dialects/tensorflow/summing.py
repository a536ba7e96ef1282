"""``float32`` sums in the order in which TensorFlow's CPU kernels add, so that their last digits agree.

Numbers that lie next to each other are added in packets of eight: four series of packets where there are so many, which
are then added in order; the packet left is halved until one number is left, to which come the numbers that fill no
packet. Very long rows are halved first. Sums down the columns take eight columns at a time, four series of rows from 16
rows on.

>>> import numpy as np
>>> float(summed(np.arange(10, dtype=np.float32)))
45.0
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.ops.reductions import mean_kernel, reduction_rule, sum_kernel
from engine.ops.registry import op
from engine.ops.type_rules import per_operand_element

Array = NDArray[Any]
_add: Any = np.add.reduce
_PACKET = 8
_SERIES = 4
_LEAF = 1024 * _PACKET
"""Longer rows are split."""


def _in_order(parts: Array) -> Array:
    """The sum over the first axis, strictly from first to last."""
    if not len(parts):
        return np.zeros(parts.shape[1:], parts.dtype)
    if parts[:1].size > 1:
        return _add(np.ascontiguousarray(parts), 0)  # type: ignore[no-any-return]  # NumPy goes row by row
    return np.add.accumulate(parts, 0)[-1]  # type: ignore[no-any-return]


def _in_series(parts: Array, least: int) -> Array:
    """The sum over the first axis, in series where there are at least so many."""
    together = len(parts) // _SERIES * _SERIES if len(parts) >= least else 0
    series = parts[:together].reshape(-1, _SERIES, *parts.shape[1:])
    return _in_order(np.concatenate([_in_order(_in_order(series))[None], parts[together:]]))


def _rows(a: Array) -> Array:
    """The sum of each row of a matrix."""
    count = a.shape[1]
    if count > _LEAF:
        half = ((count + 1) // 2 + _PACKET - 1) // _PACKET * _PACKET
        return _rows(a[:, :half]) + _rows(a[:, half:])
    whole = count // _PACKET * _PACKET
    packet = _in_series(a[:, :whole].reshape(len(a), -1, _PACKET).swapaxes(0, 1), _SERIES)
    while packet.shape[1] > 1:
        packet = packet[:, : packet.shape[1] // 2] + packet[:, packet.shape[1] // 2 :]
    left = _in_order(a[:, whole:].T)
    return left + packet[:, 0]


def _columns(a: Array) -> Array:
    """The sum over the middle axis of three."""
    rows = a.swapaxes(0, 1)
    found = _in_order(rows)
    if len(rows) >= 16:
        place = np.arange(found.size).reshape(found.shape)
        start = place // _PACKET * _PACKET % a.shape[2]
        found = np.where(start + _PACKET <= a.shape[2], _in_series(rows, 16), found)
    return found


def _adjacent(axes: tuple[int, ...], rank: int) -> bool:
    return bool(axes) and axes[0] >= 0 and axes[-1] < rank and axes == tuple(range(axes[0], axes[-1] + 1))


def summed(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum over some axes, all if ``axis`` is ``None``."""
    rank = np.ndim(a)
    axes = tuple(range(rank)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(sorted(n + rank if n < 0 else n for n in axes))
    if a.dtype != np.float32 or not a.size or not _adjacent(axes, rank):
        return sum_kernel(a, axis, keepdims)
    before, reduced, behind = a.shape[: axes[0]], a.shape[axes[0] : axes[-1] + 1], a.shape[axes[-1] + 1 :]
    matrix = np.ascontiguousarray(a).reshape(math.prod(before), math.prod(reduced), math.prod(behind))
    found = _rows(matrix[:, :, 0]) if matrix.shape[2] == 1 else _columns(matrix)
    return found.reshape((*before, *(1 for _ in axes), *behind) if keepdims else (*before, *behind))


def averaged(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean over some axes."""
    if a.dtype != np.float32 or not a.size:
        return mean_kernel(a, axis, keepdims)
    total = summed(a, axis, keepdims)
    return total / np.float32(a.size // max(np.size(total), 1))


op(
    "sum_in_packets", "a", summed, reduction_rule("sum_in_packets"),
    {"a": lambda F, g, a_shape, axis, keepdims: F.spread(g, a_shape, axis, keepdims)},
    category="reduction", symbol="sum", formula=r"\sum_i a_i", flops=per_operand_element(),
)  # fmt: skip
op(
    "mean_in_packets", "a", averaged, reduction_rule("mean_in_packets"),
    {"a": lambda F, g, a_shape, axis, keepdims: F.spread_mean(g, a_shape, axis, keepdims, 0)},
    category="reduction", symbol="sum", formula=r"\frac{1}{n} \sum_i a_i", flops=per_operand_element(),
)  # fmt: skip
