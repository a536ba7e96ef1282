"""JAX: the same compiled step, given the batch as NumPy arrays at every call, as a loop over batches has them.

``Session.run`` is given its feeds in just that way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.network import Network
from benchmarks.programs.jax_jit import step_of, version

__all__ = ["build", "version"]


def build(network: Network) -> Callable[[], Any]:
    """One training step; returns when its results are there."""
    return step_of(network, *network.data())
