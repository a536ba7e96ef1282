"""Noticing that a function is traced again and again."""

from __future__ import annotations

import warnings

HISTORY = 10
THRESHOLD = 5
MOST_WARNINGS = 2


class RetracingWarning(UserWarning):
    """A function is traced so often that tracing it hardly pays."""


class Retracing:
    """Counts calls per trace, and warns where at least 5 of the last 10 calls traced: twice at most.

    >>> import warnings
    >>> watch = Retracing()
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     for _ in range(5):
    ...         watch.traced("f", "x has another shape each time")
    >>> str(heard[0].message)[:46]
    '5 out of the last 5 calls to f triggered retra'
    """

    def __init__(self) -> None:
        self._calls_per_trace: list[int] = []
        self._calls = 0
        self.warnings = 0

    def not_traced(self) -> None:
        """A call that used a trace that was there."""
        if not self._calls_per_trace:
            self._calls_per_trace = [0]
        self._calls_per_trace[-1] += 1
        self._calls += 1

    def traced(self, name: str, reason: str) -> None:
        """A call that made a new trace, and why."""
        self._calls += 1
        self._calls_per_trace.append(1)
        while self._calls - self._calls_per_trace[0] > HISTORY:
            self._calls -= self._calls_per_trace.pop(0)
        if len(self._calls_per_trace) < THRESHOLD or self.warnings >= MOST_WARNINGS:
            return
        self.warnings += 1
        warnings.warn(
            f"{len(self._calls_per_trace)} out of the last {self._calls} calls to {name} triggered retracing. "
            "Tracing is "
            "expensive; a function is traced again for tensors of another shape or dtype, for other Python "
            "values, and if it "
            f"is made anew in a loop. The last time: {reason}. Make it once, outside the loop; pass numbers as "
            "tensors; let "
            "relax_shapes=True make sizes that vary part of one trace.",
            RetracingWarning,
            stacklevel=3,
        )
