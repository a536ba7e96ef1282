"""What an op in a defined graph costs over the NumPy call that it makes."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import engine
from benchmarks.floors import Floor
from benchmarks.report import Result, Row
from benchmarks.timing import ROUNDS, Samples, interleave, timed

SHORT, LONG, SIZE = 50, 250, 16
FLOOR = 0.15e-6


def chain(length: int) -> Callable[[], Any]:
    """A graph of ``length`` ops, one after the other, run by a session: none can be folded, merged or left out."""
    g = engine.Graph()
    x = g.placeholder((SIZE, SIZE), name="x")
    other = g.variable(np.full((SIZE, SIZE), 0.5, np.float32))
    y = x
    for i in range(length):
        y = y * other if i % 2 else y + other
    session = engine.Session(g, compile_at_once=True)
    session.run(g.initializer())
    feeds = {x: np.ones((SIZE, SIZE), np.float32)}
    return lambda: session.run(y, feeds)


def by_hand(length: int, out: bool = False) -> Callable[[], Any]:
    """The same calls in a straight line, as NumPy code; with ``out`` into one array that is there beforehand."""
    x, other = np.ones((SIZE, SIZE), np.float32), np.full((SIZE, SIZE), 0.5, np.float32)
    lines = [f"    y = {'multiply' if i % 2 else 'add'}(y, other{', space' if out else ''})" for i in range(length)]
    scope: dict[str, Any] = {"add": np.add, "multiply": np.multiply, "space": np.empty_like(x)}
    exec("\n".join(["def run(y, other):", *lines, "    return y"]), scope)
    calls = scope["run"]
    return lambda: calls(x, other)


def run(rounds: int = 0) -> Result:
    """The slope between a short and a long chain, so that what a run costs as a whole drops out."""
    for length in (SHORT, LONG):
        np.testing.assert_array_equal(chain(length)(), by_hand(length)())
    kinds: dict[str, Callable[[int], Callable[[], Any]]] = {
        "graph": chain,
        "NumPy": by_hand,
        "NumPy, out=": partial(by_hand, out=True),
    }
    lengths = {"short": SHORT, "long": LONG}
    cases = {f"{kind} {word}": timed(make(n)) for kind, make in kinds.items() for word, n in lengths.items()}
    found = interleave(cases, rounds=rounds or ROUNDS)
    graph, numpy, reused = (_slope(found[f"{kind} short"], found[f"{kind} long"]) for kind in kinds)
    result = Result(f"One op in a defined graph ({SIZE}x{SIZE}, float32)", "NumPy")
    result.rows = [
        Row("op in a graph", graph, graph / numpy),
        Row("NumPy call", numpy, 1.0),
        Row("NumPy call, out= given", reused, reused / numpy),
        Row("graph over NumPy call", graph - numpy, note=f"slopes between chains of {SHORT} and {LONG}"),
        Row("graph over out= call", graph - reused),
    ]
    # Against the cheaper of the two: the plan's buffers are given as out=, too.
    over = graph - min(numpy, reused)
    result.floors = [Floor("one op over its NumPy call", FLOOR * 1e6, over * 1e6, "us")]
    return result


def _slope(short: Samples, long: Samples) -> float:
    """Seconds for each further op."""
    return statistics.median((b - a) / (LONG - SHORT) for a, b in zip(short.rounds, long.rounds, strict=True))
