"""Taking values down at the moment of an event: a bounded copy, or a summary where the copy would be too large.

Every value in the heap is a record: type (id), form (0 raw, 1 summary), bytes of the payload, payload. A raw payload is
the array's bytes in C order. A summary is ``SUMMARY`` and then the first elements and the block means as 64-bit floats.
"""

from __future__ import annotations

import math
import struct
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.tensor_type import Array

if TYPE_CHECKING:
    from engine.recording.journal import Journal

Ints = NDArray[np.intp]
RECORD = struct.Struct("<IIQ")
SUMMARY = struct.Struct("<dddQQQQHHI")
"""min, max, mean of the finite elements; counts: finite, NaN, infinite, zero; grid rows and columns; head elements."""
RAW_BYTES = 64 << 10
SMALL_BYTES = 4 << 10
"""What is still copied whole when the heap has become full."""
TINY_BYTES = 128
"""The same when hardly anything is left of it: of all else only a summary without a picture is kept."""
HEAD = 8
GRID = 24
LARGEST = 1 << 29
"""Elements that are looked at. No memory of a run holds more, but windows over one memory can show more."""
MOST = (1 << 62) - 1
KINDS = "biufcb?"
BLOCK = 1 << 16
AT_ONCE = 1 << 22
"""Elements whose picture is made in one go."""


def store_summary(journal: Journal, type_id: int, array: Array, *, pictured: bool = True) -> int:
    """Write the summary of ``array``, computed block by block so that it takes no memory to speak of.

    What a broadcast only repeats is looked at once. -1 for windows over one memory that are too many to look at. Not
    ``pictured``, one block stands for all: a thirtieth of the room.
    """
    whole = array
    array, repeated = _once(whole)
    if array.size > LARGEST:
        return -1
    finite = nan = infinite = zeros = 0
    total = 0.0
    low, high = float("inf"), float("-inf")
    with np.errstate(all="ignore"):
        blocks: Any = np.nditer(array, flags=["external_loop", "buffered", "zerosize_ok"], buffersize=BLOCK, order="K")
        for block in blocks:
            if block.dtype.kind == "c":
                block = np.abs(block)
            zeros += int(block.size - np.count_nonzero(block))
            ends = (float(block.min()), float(block.max())) if block.size else (low, high)
            if block.dtype.kind == "f" and not (math.isfinite(ends[0]) and math.isfinite(ends[1])):
                block = block.astype(np.float64, copy=False)
                mask = np.isfinite(block)
                count = int(np.count_nonzero(mask))
                if count < block.size:
                    missing = int(np.count_nonzero(np.isnan(block)))
                    nan += missing
                    infinite += block.size - count - missing
                    block = block[mask]
                if block.size:
                    ends = float(block.min()), float(block.max())
            finite += block.size
            if block.size:
                low, high = min(low, ends[0]), max(high, ends[1])
                total += float(block.sum(dtype=np.float64))
        grid = _repeat(grid_of(array), whole.shape) if pictured else grid_of(array, most=1)
        head = np.abs(_head(whole)) if array.dtype.kind == "c" else _head(whole)
        numbers = np.concatenate([head.astype(np.float64), grid.ravel()])
    mean = total / finite if finite else float("nan")
    counts = [min(count * repeated, MOST) for count in (finite, nan, infinite, zeros)]
    summary = SUMMARY.pack(low, high, mean, *counts, *grid.shape, head.size)
    payload = summary + numbers.tobytes()
    offset = journal.allocate(len(payload) + 16)
    at = journal.heap_start + offset
    RECORD.pack_into(journal.buffer, at, type_id, 1, len(payload))
    journal.buffer[at + 16 : at + 16 + len(payload)] = payload
    return offset


def _once(array: Array) -> tuple[Array, int]:
    """``array`` without the repetitions of a broadcast, and how often each element is in it.

    >>> [part.shape if isinstance(part, np.ndarray) else part for part in _once(np.broadcast_to(np.ones(3), (9, 3)))]
    [(1, 3), 9]
    """
    repeated = 1
    for axis, (size, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        if stride == 0 and size > 1:
            array = array[(slice(None),) * axis + (slice(1),)]
            repeated *= size
    return array, repeated


def _repeat(grid: Any, shape: tuple[int, ...]) -> Any:
    """The picture of a whole array of this shape, where ``grid`` has one row or column for all of them."""
    rows, columns = grid.shape
    if len(shape) >= 2 and rows == 1 and columns:
        rows = min(math.prod(shape[:-1]), GRID)
    if shape and columns == 1 and rows:
        columns = min(shape[-1], GRID)
    return np.broadcast_to(grid, (rows, columns))


def _head(array: Array) -> Array:
    head: Array = array.flat[:HEAD]
    return head


def grid_of(array: Array, most: int = GRID) -> Any:
    """Block means of ``array`` seen as a matrix (last axis across), at most ``most`` x ``most``.

    >>> grid_of(np.ones((100, 50))).shape
    (24, 24)
    """
    if array.ndim < 2:
        matrix = array.reshape(1, -1)
    elif array.ndim == 2:
        matrix = array
    else:
        matrix = array[(slice(None),) * (array.ndim - 1)].reshape(-1, array.shape[-1])
    rows, columns = matrix.shape
    if rows == 0 or columns == 0:
        return np.zeros((0, 0))
    if matrix.dtype.kind == "c":
        matrix = np.abs(matrix)
    down, across = _edges(rows, most), _edges(columns, most)
    with np.errstate(all="ignore"):
        if matrix.size <= AT_ONCE:
            bands = np.add.reduceat(matrix, down, axis=0, dtype=np.float64)
        else:  # reduceat would copy all of it into 64 bits
            bands = np.stack([matrix[a:b].sum(axis=0, dtype=np.float64) for a, b in pairwise([*down.tolist(), rows])])
        sums = np.add.reduceat(bands, across, axis=1)
        return sums / np.outer(np.diff(down, append=rows), np.diff(across, append=columns))


@lru_cache(maxsize=1000)
def _edges(size: int, most: int) -> Ints:
    """Where each of at most ``most`` blocks of ``size`` elements begins."""
    edges: Ints = np.unique(np.linspace(0, size, min(size, most) + 1).astype(np.intp))[:-1]
    return edges
