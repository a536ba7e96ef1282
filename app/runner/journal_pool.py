"""Journals whose first pages have memory already, so that a program's first events need not wait for the kernel.

A page that nobody has touched costs 4 to 5 microseconds at its first byte, one that has memory under 2.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable

from engine.recording.journal import HEADER_BYTES
from engine.recording.rows import ROW_BYTES

from .journal_file import JournalFile
from .request import Limits

WARM_ROWS = 1 << 20
WARM_HEAP = 6 << 20
"""Bytes of rows and of the heap that get memory ahead of time."""


class JournalPool:
    """Keeps up to ``wanted`` journals for the limits that were asked for last."""

    def __init__(self, wanted: int, make: Callable[[Limits], JournalFile] = JournalFile) -> None:
        self._wanted = wanted
        self._make = make
        self._lock = threading.Lock()
        self._ready: deque[JournalFile] = deque()
        self._limits: Limits | None = None
        self._filling = False
        self._closed = False

    def take(self, limits: Limits) -> JournalFile:
        """A journal for ``limits``; the next ones are made ready meanwhile."""
        old: list[JournalFile] = []
        with self._lock:
            if limits != self._limits:
                old, self._limits = [*self._ready], limits
                self._ready.clear()
            found = self._ready.popleft() if self._ready else None
            begins = not self._filling and not self._closed
            self._filling |= begins
        for journal in old:
            journal.close()
        if begins:
            threading.Thread(target=self._fill, name="journal-pool", daemon=True).start()
        return found if found is not None else self._make(limits)

    def _fill(self) -> None:
        while True:
            with self._lock:
                limits = self._limits
                if limits is None or self._closed or len(self._ready) >= self._wanted:
                    self._filling = False
                    return
            try:
                journal = self._make(limits)
            except OSError:  # nothing to be had now (no descriptors, no memory): the next that is taken tries again
                with self._lock:
                    self._filling = False
                return
            warm(journal)
            with self._lock:
                kept = limits == self._limits and not self._closed
                if kept:
                    self._ready.append(journal)
            if not kept:
                journal.close()

    def close(self) -> None:
        """Let go of all of them."""
        with self._lock:
            self._closed = True
            old = [*self._ready]
            self._ready.clear()
        for journal in old:
            journal.close()


def warm(journal: JournalFile) -> None:
    """Have the system find memory for where a recording begins."""
    sizes = journal.sizes
    if not hasattr(os, "posix_fallocate"):
        return
    heap = HEADER_BYTES + sizes.rows * ROW_BYTES
    # Without memory to spare it stays as it is: pages then come when they are touched.
    with contextlib.suppress(OSError):
        os.posix_fallocate(journal.descriptor, 0, min(WARM_ROWS, heap))
        os.posix_fallocate(journal.descriptor, heap // 4096 * 4096, min(WARM_HEAP, sizes.heap))
