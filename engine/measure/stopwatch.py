"""Times of what happens again and again: bounded lists of integers, in nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.events import clock

KEPT = 1000
"""So many times of one thing are kept one by one; beyond that only how many there were, and how long in all."""


@dataclass(slots=True)
class Times:
    """``kept`` are the first :data:`KEPT` times; ``count`` and ``total`` cover all.

    >>> times = Times()
    >>> times.add(5)
    >>> times.add(7)
    >>> times.count, times.total, times.kept
    (2, 12, [5, 7])
    """

    kept: list[int] = field(default_factory=list)
    count: int = 0
    total: int = 0

    def add(self, passed: int) -> None:
        """One more."""
        if self.count < KEPT:
            self.kept.append(passed)
        self.count += 1
        self.total += passed


class Laps:
    """A clock that is read where a pass begins: the time between two readings is a lap.

    The reading at the end of :meth:`lap` begins the next one, so that what a mark itself does is in no lap.
    """

    __slots__ = ("begun", "times")

    def __init__(self) -> None:
        self.times = Times()
        self.begun = 0

    def begin(self) -> None:
        """What follows belongs to no lap until the next :meth:`lap`."""
        self.begun = 0

    def lap(self) -> None:
        """A pass begins: the one before it, if there is one, is done."""
        now = clock()
        if self.begun:
            self.times.add(now - self.begun)
        self.begun = clock()

    def end(self) -> None:
        """The last pass is done."""
        now = clock()
        if self.begun:
            self.times.add(now - self.begun)
        self.begun = 0


def mark_cost(samples: int = 2000) -> int:
    """What one mark costs, in nanoseconds: the least of a few rounds.

    >>> mark_cost(100) > 0
    True
    """
    rounds = []
    for _ in range(5):
        laps = Laps()
        started = clock()
        for _ in range(samples // 5):
            laps.lap()
        rounds.append((clock() - started) // (samples // 5))
    return max(min(rounds), 1)
