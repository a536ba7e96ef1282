"""``torch.cond``: one of two functions, by a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.torch.tensor import Tensor


def cond(pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: Any = ()) -> Any:
    """``true_fn(*operands)`` where ``pred`` holds, else ``false_fn(*operands)``. Here it decides at once, in every
    mode: a graph that is exported or compiled as a whole cannot hold both branches.

    :raises RuntimeError: ``pred`` is more than one value, or ``operands`` are no list or tuple.
    """
    if isinstance(pred, Tensor) and pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not isinstance(pred, Tensor | bool):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if not isinstance(operands, tuple | list):
        raise RuntimeError(
            f"Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of tensor leaves, "
            f"but got {operands}."
        )
    return (true_fn if bool(pred) else false_fn)(*operands)
