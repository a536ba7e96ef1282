"""Building, optimising and compiling the small network's training step."""

from __future__ import annotations

import engine
from benchmarks.floors import Floor
from benchmarks.network import Network
from benchmarks.programs.native_static import graph_of
from benchmarks.report import Result, Row
from benchmarks.timing import processor_time, typical

ROUNDS = 120
FLOOR = 3e-3


def run(rounds: int = 0) -> Result:
    """Processor time to the finished plan, from nothing."""
    network = Network.parse("32x16x32x4")
    values, (xs, ys) = network.parameters(), network.data()
    built, compiled = [], []
    for turn in range((rounds or ROUNDS) + 1):
        build, (g, nodes) = processor_time(graph_of, network, values)
        fetches, feeds = [nodes["loss"], nodes["train"]], {nodes["x"]: xs, nodes["y"]: ys}
        session = engine.Session(g)
        rest, plan = processor_time(session.plan, fetches, feeds)
        assert plan.source
        if turn:  # the first one writes functions that all others share
            built.append(build)
            compiled.append(rest)
    total = typical([a + b for a, b in zip(built, compiled, strict=True)])
    result = Result("Building, optimising and compiling the training step at 32x16x32x4 (processor time)")
    result.rows = [
        Row("build (with gradients)", typical(built)),
        Row("optimise and compile", typical(compiled)),
        Row("together", total),
    ]
    result.floors = [Floor("build, optimise, compile", FLOOR * 1e3, total * 1e3, "ms")]
    return result
