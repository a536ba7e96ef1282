"""Time for a layout: a picture that comes too late is worth less than a recording without one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class LateError(RuntimeError):
    """The time for a layout is used up."""


class Budget:
    """``seconds`` of this thread's processor time from now on, so that the same graph gets the same picture on a busy
    machine; what other processes do for it is charged by the clock.

    >>> budget = Budget(0.0)
    >>> budget.left, budget.share(0.5)
    (0.0, 0.0)
    >>> budget.check()
    Traceback (most recent call last):
    app.layout.budget.LateError
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.thread_time() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left, never below 0."""
        return max(0.0, self._end - time.thread_time())

    def share(self, part: float) -> float:
        """``part`` (0 to 1) of what is left."""
        return self.left * part

    @contextmanager
    def outside(self) -> Iterator[None]:
        """While another process works for this layout, the clock counts."""
        clock, own = time.monotonic(), time.thread_time()
        try:
            yield
        finally:
            self._end -= max(0.0, (time.monotonic() - clock) - (time.thread_time() - own))

    def check(self) -> None:
        """To be called from every loop that a hostile graph can make long. Raises :class:`LateError`."""
        if time.thread_time() >= self._end:
            raise LateError
