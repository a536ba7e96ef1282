"""Building, optimising and compiling the small network's training step."""

from __future__ import annotations

import statistics
from time import perf_counter_ns

import engine
from benchmarks.floors import Floor
from benchmarks.network import Network
from benchmarks.programs.native_static import graph_of
from benchmarks.report import Result, Row

ROUNDS = 101
FLOOR = 3e-3


def run(rounds: int = 0) -> Result:
    """Time to the finished plan, from nothing."""
    network = Network.parse("32x16x32x4")
    xs, ys = network.data()
    values = network.parameters()
    built, compiled = [], []
    for turn in range((rounds or ROUNDS) + 1):
        start = perf_counter_ns()
        g, nodes = graph_of(network, values)
        middle = perf_counter_ns()
        plan = engine.Session(g).plan([nodes["loss"], nodes["train"]], {nodes["x"]: xs, nodes["y"]: ys})
        end = perf_counter_ns()
        assert plan.source
        if turn:  # the first one writes functions that all others share
            built.append((middle - start) / 1e9)
            compiled.append((end - middle) / 1e9)
    total = statistics.median(a + b for a, b in zip(built, compiled, strict=True))
    result = Result("Building, optimising and compiling the training step at 32x16x32x4")
    result.rows = [
        Row("build (with gradients)", statistics.median(built)),
        Row("optimise and compile", statistics.median(compiled)),
        Row("together", total),
    ]
    result.floors = [Floor("build, optimise, compile", FLOOR * 1e3, total * 1e3, "ms")]
    return result
