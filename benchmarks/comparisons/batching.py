"""1,000 random trees of 20 nodes: evaluated one by one, and with dynamic batching."""

from __future__ import annotations

import numpy as np

from benchmarks.batching import Trees, cases
from benchmarks.floors import Floor
from benchmarks.report import Result, Row
from benchmarks.timing import interleave, timed

FLOOR, ROUNDS = 5.0, 7
KINDS = ("forward", "forward and backward")


def run(rounds: int = 0) -> Result:
    """Both ways by turns, after checking that they agree; walking the trees and making expressions is part of it."""
    trees = Trees()
    single, batched = trees.one_by_one().detach().numpy(), trees.batched().detach().numpy()
    np.testing.assert_allclose(batched, single, rtol=1e-4, atol=1e-5)
    calls = {name: timed(call, tries=1) for name, call in cases(trees).items()}
    found = interleave(calls, rounds=rounds or ROUNDS, times=1)
    result = Result(f"Dynamic batching of {trees.count} trees of {trees.nodes} nodes", "batched")
    for kind in KINDS:
        one, together = found[f"{kind}, one by one"], found[f"{kind}, batched"]
        result.rows += [
            Row(f"{kind}, one by one", one.median, one.ratio(together)),
            Row(f"{kind}, batched", together.median, 1.0),
        ]
        result.floors.append(Floor(f"one by one / batched, {kind}", FLOOR, one.ratio(together), at_least=True))
    return result
