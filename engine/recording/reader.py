"""Reading a journal that nobody vouches for: the program that wrote it may have scribbled over every byte of it.

Nothing here raises for what a journal contains, and nothing loops on it: offsets and lengths are checked, what points
outside is answered with "nothing there", and work is bounded by the capacities that the *reader* was given.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.recording.journal import (
    COUNTERS,
    FOLDING,
    HEADER,
    HEADER_BYTES,
    MAGIC,
    VERSION,
    JournalSizes,
    folded_rows,
)
from engine.recording.rows import ROW, ROW_BYTES, Kind
from engine.recording.values import RECORD

MAXIMUM_TEXT = 1 << 20
MAXIMUM_LIST = 1 << 20


class Output(NamedTuple):
    """A piece of what the program printed: ``stream`` 1 or 2 (0: an answer to ``input``)."""

    stream: int
    data: bytes


class Reader:
    """A journal's rows and heap. ``sizes`` are the capacities the journal was made with (default: as its header says).

    ``rows`` is a copy (structured array, one record a row), so what it says stays the same while it is read.

    >>> from engine.recording.journal import JournalSizes, anonymous
    >>> journal = anonymous(JournalSizes(100, 200_000, 1000))
    >>> journal.append(Kind.LINE, line=7)
    >>> Reader(journal.buffer).current_line
    7
    """

    def __init__(self, buffer: Any, sizes: JournalSizes | None = None) -> None:
        view = memoryview(buffer)
        self._buffer = view if view.format == "B" and view.ndim == 1 else view.cast("B")
        self.sizes = sizes or self._declared()
        rows = min(self._counter(0), self.sizes.rows)
        used = min(self._counter(1), self.sizes.heap)
        self._heap = self._part(HEADER_BYTES + self.sizes.rows * ROW_BYTES, used)
        self._output_start = HEADER_BYTES + self.sizes.rows * ROW_BYTES + self.sizes.heap
        # Killed while rows were replaced: the new ones stand behind the old ones.
        first, rows = folded_rows(self._word(FOLDING), self.sizes.rows) or (0, rows)
        area = self._part(HEADER_BYTES + first * ROW_BYTES, rows * ROW_BYTES)
        self.rows: NDArray[Any] = np.frombuffer(bytes(area), dtype=ROW, count=len(area) // ROW_BYTES)

    def _declared(self) -> JournalSizes:
        if len(self._buffer) < HEADER_BYTES:
            return JournalSizes(0, 0, 0)
        magic, version, _, rows, heap, output = HEADER.unpack_from(self._buffer, 0)
        room = len(self._buffer) - HEADER_BYTES
        if magic != MAGIC or version != VERSION or rows > room // ROW_BYTES or heap > room or output > room:
            return JournalSizes(0, 0, 0)
        return JournalSizes(rows, heap, output)

    def _counter(self, index: int) -> int:
        return self._word(COUNTERS + 8 * index)

    def _word(self, at: int) -> int:
        if len(self._buffer) < HEADER_BYTES:
            return 0
        return int.from_bytes(self._buffer[at : at + 8], "little")

    def _part(self, start: int, size: int) -> memoryview:
        return self._buffer[start : start + max(size, 0)]

    # -- heap --------------------------------------------------------------------------------------------------------
    @property
    def heap(self) -> memoryview:
        """All of the heap, for readers that gather many lists at once; a multiple of eight bytes."""
        return self._heap[: len(self._heap) // 8 * 8]

    def bytes_at(self, offset: int, most: int = MAXIMUM_TEXT) -> bytes | None:
        """What ``Journal.put_bytes`` stored at ``offset``; None if that is more than ``most`` bytes."""
        heap = self._heap
        if not 0 <= offset <= len(heap) - 4:
            return None
        size = int.from_bytes(heap[offset : offset + 4], "little")
        if size > most or offset + 4 + size > len(heap):
            return None
        return bytes(heap[offset + 4 : offset + 4 + size])

    def text_at(self, offset: int) -> str:
        """A text of the heap, ``""`` if there is none; never with lone surrogates."""
        data = self.bytes_at(offset)
        return "" if data is None else data.decode("utf-8", "replace")

    def json_at(self, offset: int) -> Any:
        """A JSON value of the heap, None if there is none that can be read."""
        data = self.bytes_at(offset)
        if data is None or data.count(b"[") + data.count(b"{") > 10_000:
            return None
        try:
            return json.loads(data.decode("utf-8", "replace"), parse_constant=str)
        except (ValueError, RecursionError):
            return None

    def ints_at(self, offset: int) -> list[int]:
        """A list of the heap, empty if there is none."""
        heap = self._heap
        if not 0 <= offset <= len(heap) - 4:
            return []
        size = int.from_bytes(heap[offset : offset + 4], "little")
        if size > MAXIMUM_LIST or offset + 4 + 4 * size > len(heap):
            return []
        numbers: list[int] = np.frombuffer(heap, dtype="<i4", count=size, offset=offset + 4).tolist()
        return numbers

    def value_at(self, offset: int) -> tuple[int, int, bytes] | None:
        """(type, form, payload) of a value's record, None if there is none."""
        heap = self._heap
        if not 0 <= offset <= len(heap) - RECORD.size:
            return None
        type_id, form, size = RECORD.unpack_from(heap, offset)
        if size > MAXIMUM_TEXT or offset + RECORD.size + size > len(heap):
            return None
        return type_id, form, bytes(heap[offset + RECORD.size : offset + RECORD.size + size])

    # -- rows --------------------------------------------------------------------------------------------------------
    def of_kind(self, kind: int) -> NDArray[Any]:
        """The rows of one kind, in order."""
        chosen: NDArray[Any] = self.rows[self.rows["kind"] == kind]
        return chosen

    @property
    def current_line(self) -> int:
        """The line of the last row that knows one, -1 if none does."""
        lines = self.rows["line"][self.rows["line"] > 0]
        return int(lines[-1]) if len(lines) else -1

    @property
    def output_bytes(self) -> bytes:
        """The whole output area as far as it was used (output and answers, in order)."""
        used = min(self._counter(2), self.sizes.output)
        return bytes(self._part(self._output_start, used))

    def outputs(self, first: int = 0) -> list[Output]:
        """What the rows from number ``first`` on say was printed, piece by piece."""
        rows = self.rows[first:]
        chosen = rows[(rows["kind"] == Kind.OUTPUT) | (rows["kind"] == Kind.ASKED)]
        area = self.output_bytes
        pieces = zip(chosen["a"].tolist(), chosen["b"].tolist(), chosen["c"].tolist(), strict=True)
        return [
            Output(stream if stream in (0, 1, 2) else 1, area[offset : offset + length])
            for offset, length, stream in pieces
            if 0 <= offset <= len(area) and length > 0
        ]
