"""Functions of ``torch.nn.functional`` by their paths, as graphs and files name them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.torch.nn import dropouts, functional


def functional_named(path: str) -> Callable[..., Any]:
    """The function behind ``torch.nn.functional.relu`` and its like."""
    name = path.rpartition(".")[2]
    found: Callable[..., Any] = getattr(functional if hasattr(functional, name) else dropouts, name)
    return found
