"""A network in which the matrix products take most of the time."""

from __future__ import annotations

from benchmarks.comparisons.training import NUMPY, Bound, compare
from benchmarks.report import Result

BOUNDS = (
    Bound("static", NUMPY, 0.95),
    Bound("static", "JAX jit", 0.9),
    Bound("dynamic", "torch eager", 1.0),
)


def run(rounds: int = 0) -> Result:
    """Measure it."""
    return compare("256x784x256x10", BOUNDS, rounds)
