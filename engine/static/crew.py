"""A few threads that run the tasks of a plan, each as soon as what it waits for is done."""

from __future__ import annotations

import _thread
import heapq
import os
import threading
from collections.abc import Callable, Sequence

import numpy as np

Task = Callable[[int], object]
"""A task is called with the number of the worker that runs it."""


class Job:
    """Tasks, what each waits for, and which go first (the larger ``priority``)."""

    def __init__(self, tasks: Sequence[Task], before: Sequence[set[int]], priority: Sequence[float]) -> None:
        self.tasks = tasks
        self.priority = priority
        self.counts = [len(waits) for waits in before]
        self.after: list[list[int]] = [[] for _ in tasks]
        for task, waits in enumerate(before):
            for earlier in waits:
                self.after[earlier].append(task)
        self.first = [(-priority[task], task) for task, count in enumerate(self.counts) if not count]
        heapq.heapify(self.first)


class Crew:
    """``workers`` threads, the calling one (worker 0) among them. They wait for jobs as long as the process lives.

    >>> done = []
    >>> Crew(2).run(Job([lambda worker: done.append(0), lambda worker: done.append(1)], [set(), {0}], [2, 1]))
    >>> done
    [0, 1]

    :raises RuntimeError: this process may not start threads.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._turn = threading.Lock()
        self._changed = threading.Condition()
        self._ready: list[tuple[float, int]] = []
        self._job: Job | None = None
        self._counts: list[int] = []
        self._left = self._running = 0
        self._error: BaseException | None = None
        for number in range(1, workers):
            # Not a `threading.Thread`: a program that counts or lists its threads is told of its own.
            _thread.start_new_thread(self._attend, (number,))

    def run(self, job: Job) -> None:
        """Run all tasks of ``job``. If one raises, none begins any more, and its error is raised here once those
        that run are done."""
        if not job.tasks:
            return
        with self._turn:
            with self._changed:
                self._job, self._counts, self._ready = job, list(job.counts), list(job.first)
                self._left, self._error = len(job.tasks), None
                self._changed.notify_all()
            self._work(0)
            with self._changed:
                while self._running:
                    self._changed.wait()
                self._job, error = None, self._error
                self._error = None
            if error is not None:
                raise error

    def _attend(self, number: int) -> None:
        with np.errstate(all="ignore"):
            while True:
                with self._changed:
                    while self._job is None or not self._left:
                        self._changed.wait()
                self._work(number)

    def _work(self, number: int) -> None:
        changed = self._changed
        while True:
            with changed:
                while not self._ready and self._left and self._job is not None:
                    changed.wait()
                job = self._job
                if not self._left or job is None:
                    return
                _, task = heapq.heappop(self._ready)
                self._running += 1
            error: BaseException | None = None
            try:
                job.tasks[task](number)
            except BaseException as raised:
                error = raised
            with changed:
                self._running -= 1
                if error is not None:
                    self._error = self._error or error
                    self._ready, self._left = [], 0
                elif self._left:
                    self._left -= 1
                    for later in job.after[task]:
                        self._counts[later] -= 1
                        if not self._counts[later]:
                            heapq.heappush(self._ready, (-job.priority[later], later))
                if len(self._ready) > 1 or not self._left:
                    changed.notify_all()


_crews: dict[tuple[int, int], Crew] = {}
_lock = threading.Lock()


def crew_of(workers: int) -> Crew:
    """This process's crew of so many workers; started when first asked for. Where no thread can be started any more, as
    in a sandbox, the largest crew that has been started before and is no larger than asked for.

    :raises RuntimeError: this process may not start threads, and has started none.
    """
    with _lock:
        # Threads do not survive a fork, so the process is part of the key.
        process = os.getpid()
        found = _crews.get((process, workers))
        if found is None:
            try:
                found = Crew(workers)
            except RuntimeError:
                smaller = [crew for (of, size), crew in _crews.items() if of == process and size < workers]
                if not smaller:
                    raise
                found = max(smaller, key=lambda crew: crew.workers)
            _crews[process, workers] = found
        return found
