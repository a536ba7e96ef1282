"""Tensors filled with one value, and the identity."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.arguments import need_tensor, sizes_of
from engine.dialects.torch.from_data import _scalar_dtype, made
from engine.dialects.torch.memory_formats import ordered
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import DEFAULT, as_array_dtype, check_device


def _filler(name: str, value: float) -> Any:
    def fill(
        *size: Any, out: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False, layout: Any
        = None,
        pin_memory: bool = False, generator: Any = None, memory_format: Any = None,
    ) -> Tensor:  # fmt: skip
        check_device(device)
        kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype, name)
        return made(ordered(np.full(sizes_of(size, name), value, kind), memory_format), requires_grad, name)

    fill.__name__ = fill.__qualname__ = name
    fill.__doc__ = f"``torch.{name}``: a tensor of this size."
    return fill


zeros, ones, empty = _filler("zeros", 0), _filler("ones", 1), _filler("empty", 0)


def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A tensor filled with one value, whose kind gives the dtype."""
    check_device(device)
    if not isinstance(size, tuple | list):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {type(size).__name__}")
    value = fill_value._array.item() if isinstance(fill_value, Tensor) else fill_value
    kind = _scalar_dtype(value) if dtype is None else as_array_dtype(dtype)
    return made(np.full(sizes_of([size], "full"), value, kind), requires_grad, "full")


def _like(name: str, value: float) -> Any:
    def like(
        input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, memory_format: Any = None,
        layout: Any = None,
    ) -> Tensor:  # fmt: skip
        need_tensor(input, name)
        kind = input._array.dtype if dtype is None else as_array_dtype(dtype)
        array = ordered(np.full_like(input._array, value, kind), memory_format)
        return made(array, requires_grad, name)

    like.__name__ = name
    return like


zeros_like, ones_like, empty_like = _like("zeros_like", 0), _like("ones_like", 1), _like("empty_like", 0)


def full_like(
    input: Tensor, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    need_tensor(input, "full_like")
    kind = input._array.dtype if dtype is None else as_array_dtype(dtype)
    return made(np.full(input._array.shape, fill_value, kind), requires_grad, "full_like")


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    for name, size in (("n", n), ("m", 0 if m is None else m)):
        if size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype, "eye")
    return made(np.eye(n, m, dtype=kind), requires_grad, "eye")
