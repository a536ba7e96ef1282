"""Interleaved timing: cases take turns in short batches, so that ratios don't depend on when each was measured."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter_ns, thread_time_ns
from typing import Any

Case = Callable[[int], float]
"""Runs something a number of times and gives the seconds per call."""

BATCH_SECONDS = 0.0015
"""Short, so that on a busy machine most batches run without being interrupted: the median is then one of those."""

ROUNDS = 101
TRIES = 3


@dataclass(frozen=True)
class Samples:
    """Seconds per call, one entry a round; entry ``i`` of two cases of one measurement was taken back to back."""

    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The typical time, in seconds."""
        return statistics.median(self.rounds)

    def ratio(self, other: Samples) -> float:
        """The median over the rounds of this time over ``other``'s.

        >>> Samples((1.0, 8.0, 3.0)).ratio(Samples((2.0, 4.0, 6.0)))
        0.5
        """
        return statistics.median(a / b for a, b in zip(self.rounds, other.rounds, strict=True))


def timed(call: Callable[[], object], tries: int = TRIES) -> Case:
    """A case of a function without arguments. Of ``tries`` batches in a row the fastest counts: what else a machine
    does makes a batch longer, never shorter."""

    def batch(repeat: range) -> int:
        start = perf_counter_ns()
        for _ in repeat:
            call()
        return perf_counter_ns() - start

    def case(times: int) -> float:
        repeat = range(times)
        for _ in range(1 + times // 8):  # what ran before has filled the caches with other things
            call()
        return min(batch(repeat) for _ in range(tries)) / 1e9 / times

    return case


def processor_time(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """The processor seconds that one call takes in this thread, and its result: what others do meanwhile is no part
    of it."""
    start = thread_time_ns()
    result = call(*arguments)
    return (thread_time_ns() - start) / 1e9, result


def typical(seconds: Sequence[float], tries: int = TRIES) -> float:
    """The typical time of something that can be done once only: of ``tries`` in a row the fastest counts, as in
    :func:`timed`, and of those the median.

    >>> typical([3.0, 1.0, 2.0, 9.0, 1.5, 4.0])
    1.25
    """
    return statistics.median(min(seconds[i : i + tries]) for i in range(0, len(seconds), tries))


def interleave(
    cases: Mapping[str, Case], *, rounds: int = ROUNDS, batch: float = BATCH_SECONDS, times: int = 0
) -> dict[str, Samples]:
    """Measure ``cases`` in turns. Each runs about ``batch`` seconds a round, or ``times`` calls if that is given.

    >>> found = interleave({"a": lambda times: 1.0, "b": lambda times: 2.0}, rounds=3)
    >>> found["b"].ratio(found["a"])
    2.0
    """
    counts = {name: times or _calls(case, batch) for name, case in cases.items()}
    taken: dict[str, list[float]] = {name: [] for name in cases}
    names = list(cases)
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for turn in range(rounds):
            # Every second round in reverse order: no case always comes after the same one.
            for name in names if turn % 2 == 0 else reversed(names):
                taken[name].append(cases[name](counts[name]))
            if turn % 16 == 15:
                gc.collect()
    finally:
        if collecting:
            gc.enable()
    return {name: Samples(tuple(values)) for name, values in taken.items()}


def _calls(case: Case, batch: float) -> int:
    """How many calls take about ``batch`` seconds, after warming up."""
    case(3)
    times = 1
    while True:
        seconds = case(times)
        if seconds * times >= batch / 4 or times >= 1 << 20:
            return max(1, round(batch / seconds))
        times *= 4
