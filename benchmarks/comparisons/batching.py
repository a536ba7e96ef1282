"""1,000 trees of 20 nodes, evaluated one by one and with dynamic batching."""

from __future__ import annotations

from importlib import import_module

from benchmarks.floors import Floor
from benchmarks.report import Result, Row

FLOOR = 5.0


def run(rounds: int = 0) -> Result:
    """Measure it, if the engine has dynamic batching."""
    result = Result("Dynamic batching of 1,000 trees of 20 nodes")
    try:
        import_module("engine.bridges.batching")
    except ModuleNotFoundError as error:
        result.rows = [Row("batched", None, note=str(error))]
        result.floors = [Floor("batched over one by one", FLOOR, None, why=str(error), at_least=True)]
    return result
