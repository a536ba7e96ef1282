"""Whether tensors are equal or close, and where they are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import (
    selection,
)
from engine.dialects.torch.tensor import Tensor


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and values."""
    return input._array.shape == other._array.shape and bool((input._array == other._array).all())


def _tolerances(input: Tensor, other: Tensor) -> None:
    if input._array.dtype != other._array.dtype:
        raise RuntimeError(f"{input.dtype.legacy} did not match {other.dtype.legacy}")


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    _tolerances(input, other)
    return Tensor(np.asarray(np.isclose(input._array, other._array, rtol, atol, equal_nan)))


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements are close: ``|a - b| <= atol + rtol * |b|``."""
    _tolerances(input, other)
    return bool(np.allclose(input._array, other._array, rtol, atol, equal_nan))


def nonzero(input: Tensor, as_tuple: bool = False) -> Any:
    """The indices of elements that are not zero."""
    if as_tuple:
        return selection.nonzero_tuple(input)
    return Tensor(np.argwhere(input._array))


def argwhere(input: Tensor) -> Any:
    return nonzero(input)
