"""A network of lesson size: what an op costs beside the arithmetic decides."""

from __future__ import annotations

from benchmarks.comparisons.training import NUMPY, Bound, compare
from benchmarks.report import Result

BOUNDS = (
    Bound("static", NUMPY, 0.75),
    Bound("static", "JAX jit", 0.4),
    Bound("static", "TensorFlow 1 Session", 0.1),
    Bound("static", "tf.function", 0.1),
    Bound("dynamic", "torch eager", 0.4),
    Bound("torch dialect", "torch eager, optim.SGD", 0.4),  # the same program text in both
    Bound("dynamic", "HIPS autograd", 0.25),
)


def run(rounds: int = 0) -> Result:
    """Measure it."""
    return compare("32x16x32x4", BOUNDS, rounds)
