"""The warning of a function that is traced again and again."""

from __future__ import annotations

import sys

HISTORY, THRESHOLD, MOST_WARNINGS = 10, 5, 2


class Retracing:
    """Counts calls per trace, and warns where at least 5 of the last 10 calls traced: twice at most."""

    def __init__(self) -> None:
        self._calls_per_trace: list[int] = []
        self._calls = 0
        self._warned = 0

    def not_traced(self) -> None:
        """A call that used a trace that was there."""
        if not self._calls_per_trace:
            self._calls_per_trace = [0]
        self._calls_per_trace[-1] += 1
        self._calls += 1

    def traced(self, function: object) -> None:
        """A call that made a new trace of ``function``."""
        self._calls += 1
        self._calls_per_trace.append(1)
        while self._calls_per_trace and self._calls - self._calls_per_trace[0] > HISTORY:
            self._calls -= self._calls_per_trace.pop(0)
        if len(self._calls_per_trace) < THRESHOLD or self._warned >= MOST_WARNINGS:
            return
        self._warned += 1
        print(
            f"WARNING:tensorflow:{len(self._calls_per_trace)} out of the last {self._calls} calls to {function} "
            "triggered tf.function retracing. Tracing is expensive and the excessive number of tracings could be due "
            "to (1) creating @tf.function repeatedly in a loop, (2) passing tensors with different shapes, (3) passing "
            "Python objects instead of tensors. For (1), please define your @tf.function outside of the loop. For (2), "
            "@tf.function has reduce_retracing=True option that can avoid unnecessary retracing. For (3), please refer "
            "to https://www.tensorflow.org/guide/function#controlling_retracing and "
            "https://www.tensorflow.org/api_docs/python/tf/function for  more details.",
            file=sys.stderr,
        )
