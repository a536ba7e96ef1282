"""A long program is compiled in time in proportion to its length."""

from __future__ import annotations

import time

import numpy as np

import engine
from engine.static import Graph, Session


def seconds(count: int) -> float:
    """The processor's time for the second run of a chain of ``count`` ops, which compiles it."""
    g = Graph()
    x = y = g.placeholder((8,), name="x")
    for place in range(count):
        y = engine.tanh(y) if place % 2 else y + 0.5
    session, feeds = Session(g), {x: np.ones(8, np.float32)}
    first = session.run(y, feeds)
    start = time.process_time()
    again = session.run(y, feeds)
    took = time.process_time() - start
    np.testing.assert_array_equal(first, again)
    return took


def test_ten_times_the_ops_take_about_ten_times_the_time() -> None:
    ratio = seconds(20_000) / min(seconds(2_000) for _ in range(3))
    assert ratio < 25  # 100, were it quadratic
