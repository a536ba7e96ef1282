"""Tensors made as ranges of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.torch.from_data import made
from engine.dialects.torch.ops.rounding import fused
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import DEFAULT, as_array_dtype


def arange(
    start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    if end is None:
        start, end = 0, start
    start, end, step = (x.item() if isinstance(x, Tensor | np.generic) else x for x in (start, end, step))
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) / step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(x, int) for x in (start, end, step))
    kind = as_array_dtype(dtype) if dtype is not None else np.dtype(np.int64) if whole else DEFAULT.float.array
    count = math.ceil((end - start) / step)
    values = np.arange(count) * step + start if whole else np.arange(count, dtype=np.float64) * step + start
    return made(values.astype(kind), requires_grad, "arange")


def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype)
    start, end = (x.item() if isinstance(x, Tensor) else x for x in (start, end))
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if steps == 1:
        return made(np.full(1, start, kind), requires_grad, "linspace")
    one = np.float32 if kind.kind in "iu" else kind.type  # whole numbers are cut off at the end
    step = one((one(end) - one(start)) / one(max(steps - 1, 1)))
    index = np.arange(steps)
    if kind == np.float32:  # rounded once, like PyTorch's fused multiply-add
        lower, upper = fused(step, index, one(start)), fused(-step, steps - 1 - index, one(end))
    else:
        lower, upper = one(start) + step * index.astype(one), one(end) - step * (steps - 1 - index).astype(one)
    return made(np.where(index < steps // 2, lower, upper).astype(kind), requires_grad, "linspace")


def logspace(
    start: float, end: float, steps: int, base: float = 10.0, *, dtype: Any = None, device: Any = None
) -> Tensor:
    kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype)
    return made((np.float64(base) ** np.linspace(start, end, steps)).astype(kind), False, "logspace")
