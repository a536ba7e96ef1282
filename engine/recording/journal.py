"""The journal: an append-only log in a shared buffer that outlives the process which writes it.

A buffer has a header, fixed-width rows (``rows.py``), a heap (texts, lists, values) and an output area (what the
program printed). A row is written first and counted afterwards, with one eight-byte store; so a process that is killed
at any instant leaves a valid journal: ``count`` rows, each of which points only at bytes that were there before it.

The parent makes the buffer (:func:`shared`) before it forks; :func:`anonymous` serves a run in the same process.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.rows import NOTHING, PACK, PACK_FLOAT, PACK_PLACE, ROW, ROW_BYTES, Kind

MAGIC = b"STEPGRPH"
VERSION = 1
HEADER = struct.Struct("<8sIIQQQ")
"""magic, version, reserved, capacities: rows, heap bytes, output bytes."""
COUNTERS = 64
"""Where the counters stand in the header: rows, heap bytes, output bytes (eight bytes each)."""
QUESTIONS = 96
"""Where the header counts how often the program began to wait for input, how often that was over, and for how many
nanoseconds it has waited."""
FOLDING = 88
"""While rows are being replaced: where the new ones stand meanwhile (lower half: how many, upper half: the first), else
0. ``FOLDS`` counts how often that was done."""
FOLDS = 120
HEADER_BYTES = 4096
SPARE_ROWS = 64
"""Rows kept back for how a run ended, so that a full journal can still say so."""
SPARE_HEAP = 1 << 17


class JournalFullError(Exception):
    """No row (or no heap) is left for another event."""


@dataclass(frozen=True, slots=True)
class JournalSizes:
    """Capacities of a journal, in rows and bytes. Untouched pages of it cost no memory.

    >>> JournalSizes(rows=1000, heap=1 << 20, output=1 << 16).total
    1190208
    """

    rows: int = 400_000
    heap: int = 96 << 20
    output: int = 2 << 20

    @property
    def total(self) -> int:
        """Bytes that the whole buffer takes."""
        return HEADER_BYTES + self.rows * ROW_BYTES + self.heap + self.output


def folded_rows(word: int, capacity: int) -> tuple[int, int] | None:
    """What ``FOLDING`` in a header says: the first of the rows that count, and how many; None if it says nothing."""
    first, count = word >> 32, word & 0xFFFFFFFF
    return (first, count) if 0 < count <= first and first + count <= capacity else None


class Journal:
    """The writer of a journal in ``buffer`` (writable: ``mmap``, ``bytearray``, ``memoryview``).

    >>> journal = Journal.create(bytearray(JournalSizes(100, 200_000, 1000).total), JournalSizes(100, 200_000, 1000))
    >>> journal.append(Kind.LINE, line=3)
    >>> journal.count
    1
    """

    __slots__ = (
        "_folding",
        "_ints",
        "_questions",
        "_records",
        "at",
        "buffer",
        "count",
        "counters",
        "heap_end",
        "heap_limit",
        "heap_start",
        "heap_used",
        "output_capacity",
        "output_start",
        "output_used",
        "row_limit",
        "sizes",
    )

    def __init__(self, buffer: Any) -> None:
        view = memoryview(buffer)
        self.buffer = view if view.format == "B" else view.cast("B")
        magic, version, _, rows, heap, output = HEADER.unpack_from(self.buffer, 0)
        sizes = JournalSizes(rows, heap, output)
        if magic != MAGIC or version != VERSION or sizes.total > len(self.buffer):
            raise ValueError("this buffer is no journal of this version: format it with Journal.create(buffer, sizes)")
        self.sizes = sizes
        self.counters = self.buffer[COUNTERS : COUNTERS + 24].cast("Q")
        self._folding = self.buffer[FOLDING : FOLDING + 40].cast("Q")
        self._settle()
        self._questions = self.buffer[QUESTIONS : QUESTIONS + 24].cast("Q")
        self._ints: dict[int, struct.Struct] = {}
        self._records: dict[int, struct.Struct] = {}
        self.count = self.counters[0]
        self.at = HEADER_BYTES + self.count * ROW_BYTES
        self.row_limit = max(rows - SPARE_ROWS, 0)
        self.heap_start = HEADER_BYTES + rows * ROW_BYTES
        self.heap_used = self.counters[1]
        self.heap_end = heap
        self.heap_limit = max(heap - SPARE_HEAP, 0)
        self.output_start = self.heap_start + heap
        self.output_capacity = output
        self.output_used = self.counters[2]

    @classmethod
    def create(cls, buffer: Any, sizes: JournalSizes) -> Journal:
        """Format ``buffer`` (at least ``sizes.total`` bytes) and return its writer."""
        HEADER.pack_into(buffer, 0, MAGIC, VERSION, 0, sizes.rows, sizes.heap, sizes.output)
        struct.pack_into("<QQQ", buffer, COUNTERS, 0, 0, 0)
        struct.pack_into("<QQQ", buffer, QUESTIONS, 0, 0, 0)
        for place in (FOLDING, FOLDS):
            struct.pack_into("<Q", buffer, place, 0)
        return cls(buffer)

    def append(
        self,
        kind: int,
        line: int = -1,
        span: int = -1,
        frame: int = -1,
        node: int = -1,
        a: int = -1,
        b: int = -1,
        c: int = -1,
        d: int = -1,
        e: int = -1,
        value: int = -1,
        blob: int = -1,
        time: int = 0,
        duration: int = 0,
        worker: int = 0,
    ) -> None:
        """Write one row and count it. :raises JournalFullError: the rows are used up."""
        count = self.count
        if count >= self.row_limit:
            raise JournalFullError
        at = self.at
        PACK(self.buffer, at, kind, 0, worker, line, span, frame, node, a, b, c, d, e, value, blob, time, duration)
        self.at = at + ROW_BYTES
        self.count = self.counters[0] = count + 1

    def append_place(self, kind: int, line: int, span: int, frame: int, time: int) -> None:
        """Write and count a row that says where the program is. :raises JournalFullError: as ``append``."""
        count = self.count
        if count >= self.row_limit:
            raise JournalFullError
        at = self.at
        PACK_PLACE(self.buffer, at, kind, line, span, frame, NOTHING, time, 0)
        self.at = at + ROW_BYTES
        self.count = self.counters[0] = count + 1

    def append_float(self, kind: int, line: int, frame: int, a: int, b: int, value: float, time: int) -> None:
        """Write and count a row whose ``value`` is a floating-point number. :raises JournalFullError: as ``append``."""
        count = self.count
        if count >= self.row_limit:
            raise JournalFullError
        at = self.at
        PACK_FLOAT(self.buffer, at, kind, 0, 0, line, -1, frame, -1, a, b, -1, -1, -1, value, -1, time, 0)
        self.at = at + ROW_BYTES
        self.count = self.counters[0] = count + 1

    def asks(self) -> None:
        """Tell whoever watches the run that the program waits for input from now on."""
        self._questions[0] += 1

    def answered(self, nanoseconds: int) -> None:
        """It no longer does; it has waited for so long."""
        self._questions[2] += nanoseconds
        self._questions[1] = self._questions[0]

    def release_spare(self) -> None:
        """Open the rows and the heap that are kept back for the end of a run."""
        self.row_limit = self.sizes.rows
        self.heap_limit = self.heap_end

    def extend_output(self, length: int) -> None:
        """Make the last row, which must be one of output, ``length`` bytes long (its column ``b``)."""
        struct.pack_into("<i", self.buffer, self.at - ROW_BYTES + 24, length)

    # -- fewer rows --------------------------------------------------------------------------------------------------
    def rows(self) -> NDArray[Any]:
        """A copy of the rows so far."""
        area = self.buffer[HEADER_BYTES : HEADER_BYTES + self.count * ROW_BYTES]
        return np.frombuffer(bytearray(area), dtype=ROW)

    def heap(self) -> memoryview:
        """The heap so far; a multiple of eight bytes."""
        return self.buffer[self.heap_start : self.heap_start + self.heap_used]

    def replace(self, rows: NDArray[Any], moved: Callable[[NDArray[Any], int], Any]) -> bool:
        """Put ``rows`` in the place of all that there are; False if there is no room to do so.

        ``moved(rows, at)`` gives the bytes of what they name, as it will stand in the heap from offset ``at`` on, and
        changes them to name it there. The new rows and bytes are written beside the old ones, and count from one store
        of eight bytes on; then they are written once more where the old ones stood. So a kill at any instant leaves the
        old rows or the new ones.
        """
        count, first = len(rows), self.count
        beside = rows.copy()
        data = moved(beside, self.heap_used)
        used = self.heap_used + len(data)
        if first + count > self.sizes.rows or used > self.heap_end or count > first:
            return False
        settled = rows.copy()
        low = moved(settled, 0)
        self._write(first, beside, self.heap_used, data)
        self.counters[1] = used
        self._folding[0] = first << 32 | count
        self._write(0, settled, 0, low)
        self.counters[0] = count
        self._folding[0] = 0
        self.counters[1] = len(low)
        self._folding[4] += 1
        self.count, self.at, self.heap_used = count, HEADER_BYTES + count * ROW_BYTES, len(low)
        return True

    def _write(self, row: int, rows: NDArray[Any], offset: int, data: Any) -> None:
        at = HEADER_BYTES + row * ROW_BYTES
        self.buffer[at : at + len(rows) * ROW_BYTES] = rows.tobytes()
        at = self.heap_start + offset
        self.buffer[at : at + len(data)] = data.tobytes()

    def _settle(self) -> None:
        """Whoever wrote this journal was killed while it replaced rows: the new ones become its rows."""
        place = folded_rows(self._folding[0], self.sizes.rows)
        if place is not None:
            first, count = place
            at = HEADER_BYTES + first * ROW_BYTES
            self.buffer[HEADER_BYTES : HEADER_BYTES + count * ROW_BYTES] = bytes(
                self.buffer[at : at + count * ROW_BYTES]
            )
            self.counters[0] = count
        self._folding[0] = 0

    def allocate(self, size: int) -> int:
        """Reserve ``size`` bytes of the heap, and give their offset in it. :raises JournalFullError: it is full."""
        offset = self.heap_used
        end = offset + ((size + 7) & ~7)
        if end > self.heap_limit:
            raise JournalFullError
        self.heap_used = self.counters[1] = end
        return offset

    def put_bytes(self, data: bytes) -> int:
        """Store length and ``data`` in the heap; gives the offset."""
        size = len(data)
        offset = self.allocate(size + 4)
        at = self.heap_start + offset
        struct.pack_into("<I", self.buffer, at, size)
        self.buffer[at + 4 : at + 4 + size] = data
        return offset

    def put_ints(self, numbers: Any) -> int:
        """Store count and ``numbers`` (a sequence of 32-bit integers) in the heap; gives the offset."""
        size = len(numbers)
        packer = self._ints.get(size)
        if packer is None:
            packer = self._ints[size] = struct.Struct(f"<I{size}i")
        offset = self.heap_used
        end = offset + ((4 * size + 11) & ~7)
        if end > self.heap_limit:
            raise JournalFullError
        packer.pack_into(self.buffer, self.heap_start + offset, size, *numbers)
        self.heap_used = self.counters[1] = end
        return offset

    def put_record(self, type_id: int, data: bytes) -> int:
        """Store a raw value (see ``values.py``): type, form 0, size, bytes. The offset of the record."""
        size = len(data)
        packer = self._records.get(size)
        if packer is None:
            packer = struct.Struct(f"<IIQ{size}s")
            if len(self._records) < 1000:
                self._records[size] = packer
        offset = self.heap_used
        end = offset + ((size + 23) & ~7)
        if end > self.heap_limit:
            raise JournalFullError
        packer.pack_into(self.buffer, self.heap_start + offset, type_id, 0, size, data)
        self.heap_used = self.counters[1] = end
        return offset

    def put_output(self, data: bytes) -> int:
        """Append to the output area; gives how many bytes fitted."""
        fits: int = min(len(data), self.output_capacity - self.output_used)
        at = self.output_start + self.output_used
        self.buffer[at : at + fits] = data[:fits]
        self.output_used = self.counters[2] = self.output_used + fits
        return fits


def anonymous(sizes: JournalSizes | None = None) -> Journal:
    """A journal in anonymous memory that a forked child shares with its parent."""
    sizes = sizes or JournalSizes()
    return Journal.create(mmap.mmap(-1, sizes.total), sizes)


def shared(sizes: JournalSizes | None = None) -> tuple[int, Journal]:
    """A journal behind a file descriptor that can be handed to another process (Linux: ``memfd``).

    The other process maps the descriptor and calls ``Journal(mmap.mmap(fd, 0))``.
    """
    sizes = sizes or JournalSizes()
    descriptor = os.memfd_create("stepgraph-journal")
    os.ftruncate(descriptor, sizes.total)
    return descriptor, Journal.create(mmap.mmap(descriptor, sizes.total), sizes)


__all__ = ["Journal", "JournalFullError", "JournalSizes", "Kind", "anonymous", "shared"]
