"""The same independent products on one worker and on two: from which size on it pays to share them. No floor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import engine
from benchmarks.report import Result, Row
from benchmarks.timing import Samples, interleave, timed
from engine.static.machine import cores

SIZES, BRANCHES, ROUNDS = (16, 64, 128, 256, 512), 4, 31
NAMES = {False: "one worker", True: "two workers", "auto": "as the plan decides"}


def branches(size: int, parallel: Any) -> Callable[[], Any]:
    """``tanh(x @ w)`` for four different ``w``, added up, in a session that runs it serially, in parallel, or as it
    decides by itself."""
    g = engine.Graph()
    x = g.placeholder((size, size), name="x")
    rng = np.random.default_rng(0)
    weights = [g.variable(rng.standard_normal((size, size), np.float32)) for _ in range(BRANCHES)]
    first, second, third, fourth = (engine.tanh(x @ w) for w in weights)
    total = (first + second) + (third + fourth)
    session = engine.Session(g, compile_at_once=True, parallel=parallel)
    session.run(g.initializer())
    feeds = {x: rng.standard_normal((size, size), np.float32)}
    return lambda: session.run(total, feeds)


def run(rounds: int = 0) -> Result:
    """All sizes and ways by turns; the values must agree to the bit."""
    result = Result(f"{BRANCHES} independent products and tanhs on one worker and on two", "one worker")
    faster = {}
    for size in SIZES:
        calls = {name: branches(size, mode) for mode, name in NAMES.items()}
        values = [call() for call in calls.values()]
        for value in values:
            np.testing.assert_array_equal(value, values[0])
        found = interleave({name: timed(call) for name, call in calls.items()}, rounds=rounds or ROUNDS)
        one = found[NAMES[False]]
        faster[size] = found[NAMES[True]].ratio(one)
        result.rows += [_row(size, name, samples, one) for name, samples in found.items()]
    result.rows.append(Row("crossover", None, note=_crossover(faster)))
    return result


def _row(size: int, name: str, samples: Samples, one: Samples) -> Row:
    return Row(f"{size}x{size}, {name}", samples.median, samples.ratio(one))


def _crossover(faster: dict[int, float]) -> str:
    """From which size on two workers were faster at all sizes that were tried."""
    if cores() < 2:
        return "this process may use one processor only: there is none to share with"
    paying = []
    for size in sorted(faster, reverse=True):
        if faster[size] >= 1:
            break
        paying.append(size)
    if not paying:
        return f"two workers were never faster up to {max(faster)}x{max(faster)}"
    return f"two workers are faster from {paying[-1]}x{paying[-1]} on (of {', '.join(map(str, sorted(faster)))})"
