"""What stands between an event and its row: the program's clock, interned tables, positions, values, limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.events import clock
from engine.recording.interning import Tables
from engine.recording.journal import Journal, JournalFullError
from engine.recording.positions import Position, Positions
from engine.recording.rows import Kind
from engine.recording.values import RAW_BYTES, SMALL_BYTES, TINY_BYTES, store_summary


class LimitReached(BaseException):
    """The run is over: ``args[0]`` names the limit. Raised again by every probe, so that no handler outlives it."""


class RowWriter:
    """Appends rows to ``journal`` for the recorder and the probes.

    ``frame`` is the id of the call that the program is in; the probes keep it up to date. ``overhead`` is what
    recording has cost so far, in nanoseconds. ``stop`` is called with the name of a limit that is reached and may end
    the process; if it returns, :class:`LimitReached` is raised.
    """

    def __init__(self, journal: Journal, file: str, source: str, *, events: int = 0, seconds: float = 0.0) -> None:
        self.journal = journal
        self.tables = Tables(journal)
        self.positions = Positions(file, source, self._new_span)
        self.frame = 0
        self.last_type = -1
        """The type of the value that was copied last."""
        self.overhead = 0
        self.lead = 0
        """What the call of a probe costs that the probe itself cannot measure (``leading.py``)."""
        self.stopped = ""
        self.failed: tuple[int, int] = (-1, 0)
        """The node that failed last, and ``id()`` of its error: compared with the error that ends the run, no more."""
        if events:
            journal.row_limit = min(journal.row_limit, events)
        self.last_output = (-1, 0, 0, 0, True)
        """The last row of output: rows counted then, stream, offset, length, whether it ends a line."""
        self._spans = 0
        self._roomy = min(journal.heap_limit * 3 // 4, journal.heap_limit - RAW_BYTES - 64)
        """Up to here the heap takes values of RAW_BYTES unasked; beyond, only small ones are copied whole."""
        self._scarce = journal.heap_limit * 7 // 8
        """From here on there is room for what is tiny, so that one pass through a large network is recorded to its
        end."""
        self._graphs = 0
        self._plans = 0
        self._runs = 0
        self._node_definitions: list[int] = []
        self._run_starts: dict[int, int] = {}
        self._backward_start = 0
        self._place = (-1, -1)
        self._placed = -1
        """Line and span of the node that joined last, and the node: its own events follow at once, from there."""
        self._run_places: dict[int, tuple[int, int]] = {}
        self._backward_places: list[tuple[int, int]] = []
        """Where the runs and the backward passes that are under way were called."""
        self.dropped: list[int] = []
        """Gradient nodes that went with what they had saved, until the program goes on and that is told."""
        self.finished = 0
        """When the program's last line was done, 0 until then."""
        self.base = clock()
        self.deadline = self.base + int(seconds * 1e9) if seconds else 1 << 62

    # -- what the probes use too -------------------------------------------------------------------------------------
    def restart_clock(self) -> None:
        """The program's first line begins now."""
        now = clock()
        self.deadline += now - self.base
        self.base, self.overhead = now, 0

    def _new_span(self, position: Position) -> int:
        number = self._spans
        line, column, end_line, end_column = position
        self.journal.append(Kind.SPAN, a=line, b=column, c=end_line, d=end_column, node=number)
        self._spans = number + 1
        return number

    def reach(self, limit: str) -> LimitReached:
        """Note that ``limit`` is reached, and give what has to be raised if the process is still there."""
        if not self.stopped:
            self.stopped = limit
            self.deadline = -1
            self.stop(limit)
        return LimitReached(self.stopped)

    def late(self) -> LimitReached:
        """What to raise when the clock is past ``deadline`` (which a limit that is reached sets back to -1)."""
        return self.reach(self.stopped or "time")

    def stop(self, limit: str) -> None:
        """What happens at a limit: replaced by the entry point of a run."""

    def value(self, array: Any) -> int:
        """Copy ``array`` into the heap; -1 for what is no array of numbers."""
        try:
            type_id, size, room, pack = self.tables.arrays[array.dtype, array.shape]
        except KeyError:
            self.tables.array_type(array)
            type_id, size, room, pack = self.tables.arrays[array.dtype, array.shape]
        except AttributeError:
            return -1
        self.last_type = type_id
        journal = self.journal
        offset = journal.heap_used
        if pack is not None and offset < self._roomy:
            pack(journal.buffer, journal.heap_start + offset, type_id, 0, size, array.tobytes())
            journal.heap_used = journal.counters[1] = offset + room
            return offset
        if type_id < 0:
            return -1
        scarce = offset >= self._scarce
        if size <= (TINY_BYTES if scarce else SMALL_BYTES):
            return journal.put_record(type_id, array.tobytes())
        return store_summary(journal, type_id, array, pictured=not scarce)

    def _row(self, started: int, kind: int, **columns: int) -> None:
        """Append a row for an event that began to be recorded at ``started``, and book what that cost."""
        if started > self.deadline:
            raise self.late()
        line, span = self.positions.here(3)
        columns.setdefault("time", started - self.base - self.overhead)
        try:
            self.journal.append(kind, line, span, self.frame, **columns)
        except JournalFullError:
            raise self.reach("steps") from None
        self.overhead += clock() - started

    def _start(self, start: int) -> int:
        """A kernel's start on the program's clock."""
        return start - self.base - self.overhead

    def _list(self, numbers: Sequence[int]) -> int:
        return self.journal.put_ints(numbers)

    def _value(self, value: Any) -> int:
        try:
            return self.value(value)
        except JournalFullError:
            raise self.reach("steps") from None
