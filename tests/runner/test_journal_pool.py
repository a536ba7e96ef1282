"""Journals made ready ahead of time."""

from __future__ import annotations

import errno
import os
import threading
import time

from app.runner.journal_file import JournalFile
from app.runner.journal_pool import WARM_HEAP, WARM_ROWS, JournalPool
from app.runner.request import Limits


def wait_for(pool: JournalPool, count: int) -> None:
    deadline = time.monotonic() + 10
    while len(pool._ready) < count and time.monotonic() < deadline:
        time.sleep(0.005)
    assert len(pool._ready) == count


def test_the_next_one_has_memory_already() -> None:
    pool = JournalPool(2)
    first = pool.take(Limits())
    wait_for(pool, 2)
    second = pool.take(Limits())
    assert os.fstat(first.descriptor).st_blocks * 512 < 1 << 20
    assert os.fstat(second.descriptor).st_blocks * 512 >= WARM_ROWS + WARM_HEAP
    assert second.counters() == (0, 0, 0)
    wait_for(pool, 2)
    for journal in (first, second):
        journal.close()
    pool.close()
    assert not pool._ready


def test_other_limits_make_other_journals() -> None:
    pool = JournalPool(1)
    pool.take(Limits()).close()
    wait_for(pool, 1)
    waiting = pool._ready[0]
    small = pool.take(Limits(events=1000))
    assert small.sizes.rows < waiting.sizes.rows
    assert waiting.descriptor == -1  # let go of
    small.close()
    pool.close()


def test_it_fills_again_after_nothing_was_to_be_had() -> None:
    refusals: list[None] = []

    def make(limits: Limits) -> JournalFile:
        if threading.current_thread().name == "journal-pool" and not refusals:
            refusals.append(None)
            raise OSError(errno.EMFILE, "Too many open files")
        return JournalFile(limits)

    pool = JournalPool(1, make)
    pool.take(Limits()).close()
    while pool._filling:
        time.sleep(0.001)
    assert refusals
    assert not pool._ready
    pool.take(Limits()).close()
    wait_for(pool, 1)
    pool.close()
