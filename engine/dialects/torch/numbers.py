"""Python and NumPy numbers as operands, and dimensions as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dynamic.tensor import Number


def check_dim(dim: int, rank: int) -> int:
    """``dim`` counted from the front.

    :raises IndexError: there is no such dimension.
    """
    reach = max(rank, 1)
    if not -reach <= dim < reach:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-reach}, {reach - 1}], but got {dim})")
    return dim % reach


def number(value: Any) -> Number | None:
    """A Python or NumPy number as an operand; ``None`` if it is neither."""
    if type(value) in _PLAIN_NUMBERS:
        return Number(value)
    if isinstance(value, np.generic):  # NumPy's float64 is a float too
        plain = value.item()
        return Number(plain) if type(plain) in _PLAIN_NUMBERS else None
    return Number(value.real) if isinstance(value, (bool, int, float, complex)) else None


_PLAIN_NUMBERS = (float, int, bool, complex)
