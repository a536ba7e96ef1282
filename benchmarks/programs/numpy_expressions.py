"""NumPy as a course writes it (after CS231n's two-layer network): expressions, float32 throughout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.network import RATE, Network


def version() -> str:
    """What was measured."""
    return f"NumPy {np.__version__}"


def build(network: Network) -> Callable[[], Any]:
    """One training step."""
    x, y = network.data()
    w1, b1, w2, b2 = network.parameters()

    def step() -> Any:
        nonlocal w1, b1, w2, b2
        h = np.maximum(0, x @ w1 + b1)
        scores = h @ w2 + b2
        difference = scores - y
        loss = np.mean(difference**2)

        dscores = 2 * difference / difference.size
        dw2 = h.T @ dscores
        db2 = np.sum(dscores, axis=0)
        dh = dscores @ w2.T * (h > 0)
        dw1 = x.T @ dh
        db1 = np.sum(dh, axis=0)

        w1 -= RATE * dw1
        b1 -= RATE * db1
        w2 -= RATE * dw2
        b2 -= RATE * db2
        return loss

    return step
