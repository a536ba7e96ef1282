"""The journal of one run as the server sees it: a file in memory that a stranger's program writes.

The server never maps it while a program lives (a shortened file would kill the reader), only reads it piece by piece;
whatever the counters claim is clipped to what can be true.
"""

from __future__ import annotations

import codecs
import contextlib
import mmap
import os
import struct
import tempfile
import threading

import numpy as np

from engine.recording import journal as journals
from engine.recording.rows import LAYOUT, ROW, ROW_BYTES, Kind

from .request import Limits

_SEALS = 0x0002 | 0x0004  # F_SEAL_SHRINK, F_SEAL_GROW
_ADD_SEALS = 1033
_COUNTERS = struct.Struct("<QQQ")


def memory_file(name: str, *, sealable: bool = False) -> int:
    """A descriptor of an unnamed file: in memory where the system can, else in the folder for temporary files."""
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):
            return os.memfd_create(name, os.MFD_CLOEXEC | (os.MFD_ALLOW_SEALING if sealable else 0))
    with tempfile.TemporaryFile(prefix="stepgraph-") as file:
        return os.dup(file.fileno())


def filled(name: str, data: bytes) -> int:
    """A :func:`memory_file` that holds ``data``."""
    descriptor = memory_file(name)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    return descriptor


def _seal(descriptor: int) -> None:
    """Nobody may change the size of it any more. (A file on a disk has no seals.)"""
    with contextlib.suppress(OSError, ImportError):
        import fcntl

        fcntl.fcntl(descriptor, _ADD_SEALS, _SEALS)


class JournalFile:
    """An empty journal, formatted, big enough for ``limits``. ``path`` is set for one that other processes open by
    name."""

    def __init__(self, limits: Limits, *, named: bool = False) -> None:
        self.sizes = journals.JournalSizes(
            rows=max(2 * limits.events, 4 * journals.SPARE_ROWS), output=2 * limits.output_bytes + 4096
        )
        self.path: str | None = None
        self._seeking = threading.Lock()
        self._folds = 0
        if named:
            self.descriptor, self.path = tempfile.mkstemp(prefix="stepgraph-", suffix=".journal")
        else:
            self.descriptor = memory_file("stepgraph-journal", sealable=True)
        os.ftruncate(self.descriptor, self.sizes.total)
        with mmap.mmap(self.descriptor, self.sizes.total) as buffer:
            self._format(buffer)
        if not named:
            _seal(self.descriptor)

    def _format(self, buffer: mmap.mmap) -> None:
        sizes = self.sizes
        journals.HEADER.pack_into(buffer, 0, journals.MAGIC, journals.VERSION, 0, sizes.rows, sizes.heap, sizes.output)
        _COUNTERS.pack_into(buffer, journals.COUNTERS, 0, 0, 0)

    def repair(self) -> None:
        """After the program's end: put back the header, and clip the counters, that it may have written over."""
        rows, heap, output = self.counters()
        sizes = self.sizes
        head = journals.HEADER.pack(journals.MAGIC, journals.VERSION, 0, sizes.rows, sizes.heap, sizes.output)
        self._write(0, head)
        self._write(journals.COUNTERS, _COUNTERS.pack(rows, heap, output))

    def counters(self) -> tuple[int, int, int]:
        """Rows, bytes of the heap and bytes of output so far."""
        raw = self._read(journals.COUNTERS, _COUNTERS.size)
        if len(raw) < _COUNTERS.size:
            return 0, 0, 0
        rows, heap, output = _COUNTERS.unpack(raw)
        return min(rows, self.sizes.rows), min(heap, self.sizes.heap), min(output, self.sizes.output)

    def output(self) -> str:
        """The text so far; an incomplete character at its end is left for later."""
        raw = self.rest(0)
        return codecs.getincrementaldecoder("utf-8")("replace").decode(raw)

    def line(self) -> int:
        """The line of the latest row that has one, -1 if there is none among the last few."""
        rows = self.counters()[0]
        for row in range(rows - 1, max(rows - 33, -1), -1):
            fields = self._row(row)
            if fields and fields[3] > 0:
                return int(fields[3])
        return -1

    def question(self) -> tuple[int, float]:
        """The number of the question that the program waits with (from 1; 0 while it does not wait), and how many
        seconds it says that it has waited with those before."""
        raw = self._read(journals.QUESTIONS, _COUNTERS.size)
        asked, answered, waited = _COUNTERS.unpack(raw) if len(raw) == _COUNTERS.size else (0, 0, 0)
        return asked if asked > answered else 0, waited / 1e9

    def pieces(self, row: int, offset: int) -> tuple[list[tuple[int, bytes]], int, int]:
        """``(stream, bytes)`` of the output from byte ``offset`` on (stream 0: an answer to ``input``), and the row and
        byte to go on from.

        Rows before ``row`` say nothing about it. Bytes that no row claims yet are left for later.
        """
        rows = self.counters()[0]
        folds = int.from_bytes(self._read(journals.FOLDS, 8), "little")
        if folds != self._folds:  # the rows stand elsewhere now
            self._folds, row = folds, 0
        row = min(row, rows)
        raw = self._read(journals.HEADER_BYTES + row * ROW_BYTES, (rows - row) * ROW_BYTES)
        table = np.frombuffer(raw[: len(raw) // ROW_BYTES * ROW_BYTES], dtype=ROW)
        used = self.counters()[2]
        found: list[tuple[int, bytes]] = []
        at = np.flatnonzero((table["kind"] == Kind.OUTPUT) | (table["kind"] == Kind.ASKED))
        for number in at.tolist():
            start, length, stream = (int(table[name][number]) for name in "abc")
            end = min(start + length, used)
            if offset < start < end:  # no row will claim these any more
                found.append((1, self._output_bytes(offset, start)))
                offset = start
            if start <= offset < end:
                found.append((stream if stream in (0, 2) else 1, self._output_bytes(offset, end)))
                offset = end
        # The last of them may still grow.
        return found, row + (at[-1].item() if len(at) else len(table)), offset

    def rest(self, offset: int) -> bytes:
        """All of the output from byte ``offset`` on."""
        return self._output_bytes(offset, self.counters()[2])

    def _output_bytes(self, start: int, end: int) -> bytes:
        return self._read(journals.HEADER_BYTES + self.sizes.rows * ROW_BYTES + self.sizes.heap + start, end - start)

    def has_end(self) -> bool:
        """Whether the program's own process could still say how it ended."""
        rows = self.counters()[0]
        last = (self._row(row) for row in range(rows - 1, max(rows - 1 - journals.SPARE_ROWS, -1), -1))
        return any(fields and fields[0] == Kind.END for fields in last)

    def _row(self, row: int) -> tuple[int, ...] | None:
        raw = self._read(journals.HEADER_BYTES + row * ROW_BYTES, ROW_BYTES)
        return LAYOUT.unpack(raw) if len(raw) == ROW_BYTES else None

    def _read(self, offset: int, size: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self.descriptor, size, offset)
        with self._seeking:
            os.lseek(self.descriptor, offset, os.SEEK_SET)
            return os.read(self.descriptor, size)

    def _write(self, offset: int, data: bytes) -> None:
        with self._seeking:
            os.lseek(self.descriptor, offset, os.SEEK_SET)
            os.write(self.descriptor, data)

    def close(self) -> None:
        """Let go of it; the memory is freed with the last process that has it."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
        if self.path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
            self.path = None
