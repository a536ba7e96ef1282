"""JAX: the whole step under ``jit``, parameters donated, everything on the device beforehand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.network import RATE, Network


def version() -> str:
    """What was measured."""
    return f"jax {jax.__version__}"


def _loss(parameters: Any, x: Any, y: Any) -> Any:
    w1, b1, w2, b2 = parameters
    h = jnp.maximum(x @ w1 + b1, 0)
    return jnp.mean((h @ w2 + b2 - y) ** 2)


@partial(jax.jit, donate_argnums=0)
def _step(parameters: Any, x: Any, y: Any) -> Any:
    loss, gradients = jax.value_and_grad(_loss)(parameters, x, y)
    return loss, [p - RATE * g for p, g in zip(parameters, gradients, strict=True)]


def build(network: Network) -> Callable[[], Any]:
    """One training step; returns when its results are there."""
    return step_of(network, *(jnp.asarray(array) for array in network.data()))


def step_of(network: Network, x: Any, y: Any) -> Callable[[], Any]:
    """The step on a batch that is on the device, or that the call takes there."""
    state = [[jnp.asarray(array) for array in network.parameters()]]

    def step() -> Any:
        loss, state[0] = _step(state[0], x, y)
        jax.block_until_ready(state[0])
        return loss

    return step
