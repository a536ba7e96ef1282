"""PyTorch, eager, one thread, with ``torch.optim.SGD``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from benchmarks.network import Network
from benchmarks.programs.torch_step import step_of

torch.set_num_threads(1)


def version() -> str:
    """What was measured."""
    return f"torch {torch.__version__}"


def build(network: Network) -> Callable[[], Any]:
    """One training step."""
    return step_of(torch, network)
