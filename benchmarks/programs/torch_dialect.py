"""Our engine through its dialect of PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.network import Network
from benchmarks.programs.torch_step import step_of
from engine.dialects.torch import modules


def version() -> str:
    """What was measured."""
    return "this engine, torch dialect"


def build(network: Network) -> Callable[[], Any]:
    """One training step."""
    return step_of(modules()["torch"], network)
