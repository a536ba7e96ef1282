"""Adding one op to a graph of 100 that has run, and running it."""

from __future__ import annotations

import statistics
from time import perf_counter_ns
from typing import Any

import numpy as np

import engine
from benchmarks.floors import Floor
from benchmarks.report import Result, Row

OPS, ROUNDS = 100, 201
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


def run(rounds: int = 0) -> Result:
    """Time from the call that adds the op to the value."""
    taken, again = [], []
    for _ in range(rounds or ROUNDS):
        session, y, feeds = prepared()
        start = perf_counter_ns()
        new = engine.sigmoid(y)
        value = session.run(new, feeds)
        middle = perf_counter_ns()
        session.run(y, feeds)
        end = perf_counter_ns()
        assert value.shape == (8, 8)
        taken.append((middle - start) / 1e9)
        again.append((end - middle) / 1e9)
    result = Result(f"Adding one op to a graph of {OPS} and running it")
    result.rows = [
        Row("add and run", statistics.median(taken)),
        Row("run without adding", statistics.median(again), note="the plan that was there before"),
    ]
    result.floors = [Floor("append one op and run", FLOOR * 1e6, statistics.median(taken) * 1e6, "us")]
    return result
