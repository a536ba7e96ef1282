"""Adding one op to a graph of 100 that has run, and running it."""

from __future__ import annotations

from typing import Any

import numpy as np

import engine
from benchmarks.floors import Floor
from benchmarks.report import Result, Row
from benchmarks.timing import processor_time, typical

OPS, ROUNDS = 100, 240
FLOOR = 300e-6


def prepared() -> tuple[Any, Any, Any]:
    """A session on a graph of 100 ops that has been run and compiled: the session, its last node, the feeds."""
    g = engine.Graph()
    x = g.placeholder((8, 8), name="x")
    y = x
    for _ in range(OPS):
        y = engine.tanh(y)
    session = engine.Session(g, compile_at_once=True)
    feeds = {x: np.ones((8, 8), np.float32)}
    session.run(y, feeds)
    session.compile_at_once = False
    return session, y, feeds


def extended(session: Any, y: Any, feeds: Any) -> Any:
    """The value of one more op."""
    return session.run(engine.sigmoid(y), feeds)


def run(rounds: int = 0) -> Result:
    """Processor time from the call that adds the op to the value."""
    taken, again = [], []
    for _ in range(rounds or ROUNDS):
        session, y, feeds = prepared()
        seconds, value = processor_time(extended, session, y, feeds)
        assert value.shape == (8, 8)
        taken.append(seconds)
        again.append(processor_time(session.run, y, feeds)[0])
    result = Result(f"Adding one op to a graph of {OPS} and running it (processor time)")
    result.rows = [
        Row("add and run", typical(taken)),
        Row("run without adding", typical(again), note="the plan that was there before"),
    ]
    result.floors = [Floor("append one op and run", FLOOR * 1e6, typical(taken) * 1e6, "us")]
    return result
