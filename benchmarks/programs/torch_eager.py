"""PyTorch, eager, one thread, the update written out: less than an optimizer costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from benchmarks.network import Network
from benchmarks.programs.torch_step import step_by_hand

torch.set_num_threads(1)


def version() -> str:
    """What was measured."""
    return f"torch {torch.__version__}"


def build(network: Network) -> Callable[[], Any]:
    """One training step."""
    return step_by_hand(torch, network)
