"""Dropout of elements, of channels, and to SELU's lower end."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.nn.functional import _p
from engine.dialects.torch.streams import default_generator
from engine.dialects.torch.tensor import Tensor
from engine.dynamic.apply import apply

DROPOUT = _p("mul", "dropout", "MulBackward0")


def _check_share(p: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _kept(shape: Any, p: float, dtype: Any) -> Any:
    """1 with probability ``1 - p``, else 0, of the default stream."""
    count = int(np.prod(shape))
    return (default_generator.uniform(count, np.dtype(np.float64)) < 1 - p).reshape(shape).astype(dtype)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zeros elements with probability ``p`` and scales up the rest."""
    need_tensor(input, "dropout")
    _check_share(p)
    return _dropped(input, input._array.shape, p, training, inplace)


def _dropped(input: Tensor, shape: Any, p: float, training: bool, inplace: bool) -> Any:
    array = input._array
    if not training or p == 0 or not array.size:
        return input
    if p == 1:
        result: Any = input * 0  # type: ignore[operator]
    else:
        result = apply(DROPOUT, (input, Tensor(_kept(shape, p, array.dtype) / array.dtype.type(1 - p))))
    return input.copy_(result) if inplace else result


def _channels(name: str, ranks: tuple[int, int]) -> Any:
    """Dropout of whole channels; the lower rank is that of an input without a batch."""

    def function(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
        need_tensor(input, name)
        _check_share(p)
        shape = input._array.shape
        lead = 1 if len(shape) == ranks[0] else 2
        return _dropped(input, (*shape[:lead], *(1,) * (len(shape) - lead)), p, training, inplace)

    function.__name__ = function.__qualname__ = name
    return function


dropout1d, dropout2d, dropout3d = (
    _channels(name, ranks) for name, ranks in (("dropout1d", (2, 3)), ("dropout2d", (3, 4)), ("dropout3d", (4, 5)))
)


def alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Dropout to the value that SELU gives for minus infinity, scaled so that mean and variance stay."""
    _check_share(p)
    if not training or p == 0:
        return input
    alpha = 1.7580993408473766
    scale = 1 / np.sqrt((alpha * alpha * p + 1) * (1 - p))
    kept = _kept(input._array.shape, p, input._array.dtype)
    shift = Tensor(((kept - 1) * (alpha * scale) + alpha * scale * p).astype(input._array.dtype))
    return input * Tensor(kept * input._array.dtype.type(scale)) + shift
