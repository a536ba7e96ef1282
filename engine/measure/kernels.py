"""The listener of a survey: it adds up what kernels of eager ops take, and knows whether the engine did anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from engine.events import clock


def clock_cost(samples: int = 1000) -> int:
    """What reading the clock costs, in nanoseconds: the part of it that stands in every kernel's time."""
    started = clock()
    for _ in range(samples):
        clock()
    return max((clock() - started) // samples, 1)


class Kernels:
    """An :class:`engine.events.Listener`, as far as one that wants nothing but times has to be.

    >>> kernels = Kernels()
    >>> kernels.op_ran(0, None, 100, 1100, run=-1)
    >>> 0 < kernels.time <= 1000, kernels.events
    (True, 1)
    """

    def __init__(self) -> None:
        self.time = 0
        self.events = 0
        self._ids = count()
        self._cost = clock_cost()
        self._open: list[tuple[int, int]] = []
        """(start, duration) of ops since the last gradient: those that ran inside the next one are a part of it."""

    def __getattr__(self, name: str) -> Callable[..., int]:
        ids = self._ids
        return lambda *given, **named: next(ids)

    def op_ran(self, node: int, value: Any, start: int, end: int, *, run: int = -1, **more: Any) -> None:
        """An op: of a compiled plan it is timed by :class:`SessionTimes`."""
        self.events += 1
        if run < 0:
            passed = max(end - start - self._cost, 0)
            self.time += passed
            self._open.append((start, passed))

    def gradient_ran(self, node: int, sent: Sequence[Any], start: int, end: int) -> None:
        """A gradient: ops that ran inside it are in its time."""
        self.events += 1
        inside = sum(passed for begun, passed in self._open if begun >= start)
        self._open.clear()
        self.time += max(end - start - self._cost - inside, 0)
