"""HIPS autograd: NumPy code differentiated by tracing every call."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version as installed
from typing import Any

import autograd.numpy as np
from autograd import value_and_grad

from benchmarks.network import RATE, Network


def version() -> str:
    """What was measured."""
    return f"autograd {installed('autograd')}"


def _loss(parameters: Any, x: Any, y: Any) -> Any:
    w1, b1, w2, b2 = parameters
    h = np.maximum(np.dot(x, w1) + b1, 0)
    return np.mean((np.dot(h, w2) + b2 - y) ** 2)


def build(network: Network) -> Callable[[], Any]:
    """One training step, parameters updated in place."""
    x, y = network.data()
    parameters = network.parameters()
    loss_and_gradients = value_and_grad(_loss)

    def step() -> Any:
        loss, gradients = loss_and_gradients(parameters, x, y)
        for p, g in zip(parameters, gradients, strict=True):
            p -= RATE * g
        return loss

    return step
