"""The engine's dynamic mode: ops run at once, the tape goes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import engine
from benchmarks.network import RATE, Network


def version() -> str:
    """What was measured."""
    return "this engine, dynamic"


def build(network: Network, engine: Any = engine) -> Callable[[], Any]:
    """One training step (of another copy of the engine, if one is given)."""
    x, y = (engine.tensor(array) for array in network.data())
    parameters = [engine.tensor(array, requires_grad=True) for array in network.parameters()]
    w1, b1, w2, b2 = parameters
    relu, mse_loss, no_grad = engine.relu, engine.mse_loss, engine.no_grad

    def step() -> Any:
        h = relu(x @ w1 + b1)
        loss = mse_loss(h @ w2 + b2, y)
        loss.backward()
        with no_grad():
            for p in parameters:
                gradient = p.grad
                gradient *= RATE
                p -= gradient
                p.grad = None
        return loss

    return step
