"""Who runs next: first come, first served, but of each owner one at a time."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from .backend import BackendError
from .run import Run

_RESTING = 64
"""So many programs that wait for input leave their place to others."""
_FIRST_GUESS = 0.3
_WEIGHT = 0.2
"""What the newest run counts in the average of how long runs take."""


class FairQueue:
    """Runs that wait, and those that ``workers`` threads have taken. Thread-safe.

    A program that waits for input does not use the processor: another may run meanwhile, for which ``hire`` makes one
    more worker. When it goes on, the next worker that is idle is let go.
    """

    def __init__(self, workers: int, hire: Callable[[], None]) -> None:
        self.waiting: deque[Run] = deque()
        self.active: dict[Run, float] = {}
        self._workers = workers
        self._hire = hire
        self._something = threading.Condition()
        self._closed = False
        self._resting = 0
        self._surplus = 0
        self._pace = _FIRST_GUESS

    def put(self, run: Run) -> None:
        """Add a run at the end. Raises :class:`BackendError` once the queue is closed."""
        with self._something:
            if self._closed:
                raise BackendError("this runner is closed")
            self.waiting.append(run)
            self._something.notify()

    def take(self) -> Run | None:
        """The next run for a worker, which waits for it; None when it is to end."""
        with self._something:
            self._something.wait_for(lambda: self._closed or self._surplus or self._ready())
            if self._closed:
                return None
            if self._surplus:
                self._surplus -= 1
                self._something.notify()  # what woke this one may be work for another
                return None
            run = self._ready()
            assert run is not None
            self.waiting.remove(run)
            self.active[run] = time.monotonic()
            rest = [*self.waiting]
        for other in rest:
            other.touch()
        return run

    def done(self, run: Run) -> None:
        """A worker has finished with what it took."""
        with self._something:
            took = time.monotonic() - self.active.pop(run)
            if not run.asked and not run.cancelled.is_set():
                self._pace += _WEIGHT * (took - self._pace)
            self._something.notify_all()  # the owner's next may be ready

    def close(self) -> list[Run]:
        """Let every worker end; gives the runs that there still are."""
        with self._something:
            self._closed = True
            self._something.notify_all()
            return [*self.waiting, *self.active]

    def place(self, run: Run) -> int:
        """How many have to begin before it, itself included; 0 if it does not wait."""
        with self._something:
            try:
                return self.waiting.index(run) + 1
            except ValueError:
                return 0

    def expected_wait(self, run: Run) -> float:
        """Seconds until it begins, if runs go on to take as long as they did lately."""
        return self.place(run) * self._pace / self._workers

    def withdraw(self, run: Run) -> bool:
        """Take a run out that has not begun; False if it has."""
        with self._something:
            try:
                self.waiting.remove(run)
            except ValueError:
                return False
            rest = [*self.waiting]
        for other in rest:
            other.touch()
        return True

    def rest(self) -> bool:
        """A program waits for input: unless too many do, another one may run in its place meanwhile."""
        with self._something:
            if self._closed or self._resting >= _RESTING:
                return False
            self._resting += 1
            if self._surplus:
                self._surplus -= 1
            else:
                self._hire()
            self._something.notify_all()  # nor does it count for its owner
            return True

    def go_on(self) -> None:
        """It has its answer: one worker is now too many."""
        with self._something:
            self._resting -= 1
            self._surplus += 1
            self._something.notify()

    def _ready(self) -> Run | None:
        """The first whose owner has nothing running. One that waits for input does not count."""
        busy = {run.request.owner for run in self.active if run.request.owner and run.state != "asking"}
        return next((run for run in self.waiting if run.request.owner not in busy), None)
