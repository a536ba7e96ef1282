"""Windows of signals, and the places of a triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.from_data import made
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import DEFAULT, as_array_dtype


def _window(name: str, *weights: float) -> Any:
    """A window that is a sum of cosines with these weights."""

    def window(window_length: int, periodic: bool = True, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
        kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype)
        if window_length == 1:
            return made(np.ones(1, kind), requires_grad, name)
        angle = 2 * np.pi * np.arange(window_length) / (window_length - (0 if periodic else 1))
        values = sum(weight * (-1) ** n * np.cos(n * angle) for n, weight in enumerate(weights))
        return made(np.asarray(values, kind), requires_grad, name)

    window.__name__ = window.__qualname__ = name
    return window


hann_window = _window("hann_window", 0.5, 0.5)
hamming_window = _window("hamming_window", 0.54, 0.46)
blackman_window = _window("blackman_window", 0.42, 0.5, 0.08)


def _triangle(name: str, find: Any) -> Any:
    def indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> Tensor:
        kind = np.dtype(np.int64) if dtype is None else as_array_dtype(dtype)
        return Tensor(np.stack(find(row, offset, col)).astype(kind))

    indices.__name__ = indices.__qualname__ = name
    indices.__doc__ = "The rows and the columns of a triangle's elements: (2, count)."
    return indices


tril_indices, triu_indices = _triangle("tril_indices", np.tril_indices), _triangle("triu_indices", np.triu_indices)
NAMES = "hann_window hamming_window blackman_window tril_indices triu_indices"
