"""Taking values down at the moment of an event: a bounded copy, or a summary where the copy would be too large.

Every value in the heap is a record: type (id), form (0 raw, 1 summary), bytes of the payload, payload. A raw payload is
the array's bytes in C order. A summary is ``SUMMARY`` and then the first elements and the block means as 64-bit floats.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.tensor_type import Array

if TYPE_CHECKING:
    from engine.recording.journal import Journal

RECORD = struct.Struct("<IIQ")
SUMMARY = struct.Struct("<dddQQQQHHI")
"""min, max, mean of the finite elements; counts: finite, NaN, infinite, zero; grid rows and columns; head elements."""
RAW_BYTES = 64 << 10
SMALL_BYTES = 4 << 10
"""What is still copied whole when the heap is nearly full."""
HEAD = 8
GRID = 24
KINDS = "biufcb?"
BLOCK = 1 << 16


def store_summary(journal: Journal, type_id: int, array: Array) -> int:
    """Write the summary of ``array``, computed block by block so that it takes no memory to speak of."""
    finite = nan = infinite = zeros = 0
    total = 0.0
    low, high = float("inf"), float("-inf")
    with np.errstate(all="ignore"):
        blocks: Any = np.nditer(array, flags=["external_loop", "buffered", "zerosize_ok"], buffersize=BLOCK, order="K")
        for block in blocks:
            if block.dtype.kind == "c":
                block = np.abs(block)
            zeros += int(block.size - np.count_nonzero(block))
            if block.dtype.kind == "f":
                block = block.astype(np.float64, copy=False)
                mask = np.isfinite(block)
                count = int(np.count_nonzero(mask))
                if count < block.size:
                    missing = int(np.count_nonzero(np.isnan(block)))
                    nan += missing
                    infinite += block.size - count - missing
                    block = block[mask]
            finite += block.size
            if block.size:
                low, high = min(low, float(block.min())), max(high, float(block.max()))
                total += float(block.sum(dtype=np.float64))
        grid = grid_of(array)
        head = np.abs(_head(array)) if array.dtype.kind == "c" else _head(array)
        numbers = np.concatenate([head.astype(np.float64), grid.ravel()])
    mean = total / finite if finite else float("nan")
    summary = SUMMARY.pack(low, high, mean, finite, nan, infinite, zeros, *grid.shape, head.size)
    payload = summary + numbers.tobytes()
    offset = journal.allocate(len(payload) + 16)
    at = journal.heap_start + offset
    RECORD.pack_into(journal.buffer, at, type_id, 1, len(payload))
    journal.buffer[at + 16 : at + 16 + len(payload)] = payload
    return offset


def _head(array: Array) -> Array:
    head: Array = array.flat[:HEAD]
    return head


def grid_of(array: Array) -> Any:
    """Block means of ``array`` seen as a matrix (last axis across), at most 24 x 24; a strided sample of huge ones.

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
    row_edges = np.unique(np.linspace(0, rows, min(rows, GRID) + 1).astype(np.intp))[:-1]
    column_edges = np.unique(np.linspace(0, columns, min(columns, GRID) + 1).astype(np.intp))[:-1]
    if matrix.dtype.kind == "c":
        matrix = np.abs(matrix)
    with np.errstate(all="ignore"):
        out = np.empty((len(row_edges), len(column_edges)))
        widths = np.diff(np.append(column_edges, columns))
        for index, first in enumerate(row_edges):
            last = row_edges[index + 1] if index + 1 < len(row_edges) else rows
            band = matrix[first:last]
            across = np.add.reduceat(band, column_edges, axis=1, dtype=np.float64).sum(axis=0)
            out[index] = across / (widths * (last - first))
    return out
