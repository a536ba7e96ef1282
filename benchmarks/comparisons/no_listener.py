"""What being observable costs when nobody observes: the engine beside a copy of itself with every check taken out."""

from __future__ import annotations

import engine
from benchmarks.floors import Floor
from benchmarks.network import Network
from benchmarks.programs import native_dynamic
from benchmarks.report import Result, Row
from benchmarks.timing import interleave, timed
from benchmarks.unobservable import unobservable_engine

FLOOR, ROUNDS = 1.02, 501


def run(rounds: int = 0) -> Result:
    """The dynamic training step, where every op asks whether anybody listens; both copies in one process, by turns."""
    network = Network.parse("32x16x32x4")
    copy, removed = unobservable_engine(lambda copy: native_dynamic.build(network, copy)())
    found = interleave(
        {
            "observable": timed(native_dynamic.build(network, engine)),
            "checks removed": timed(native_dynamic.build(network, copy)),
        },
        rounds=rounds or ROUNDS,
    )
    ratio = found["observable"].ratio(found["checks removed"])
    result = Result("A recorder that is not attached (dynamic training step, 32x16x32x4)", "checks removed")
    result.rows = [
        Row("observable", found["observable"].median, ratio),
        Row("checks removed", found["checks removed"].median, 1.0, f"{removed} checks compiled out"),
    ]
    result.floors = [Floor("no listener", FLOOR, ratio)]
    return result
