"""Differences of neighbours, and areas under lines through points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.torch.arguments import no_gradient
from engine.dialects.torch.joining import cat
from engine.dialects.torch.tensor import Tensor


def diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Each element minus the one before it, ``n`` times over."""
    whole = [x for x in (prepend, input, append) if x is not None]
    result = cat(whole, dim) if len(whole) > 1 else input
    for _ in range(n):
        length = result.shape[dim]
        result = result.narrow(dim, 1, length - 1) - result.narrow(dim, 0, length - 1)
    return result


def _strips(y: Any, x: Any, dx: float, dim: int) -> Any:
    length = y.shape[dim]
    pairs = y.narrow(dim, 0, length - 1) + y.narrow(dim, 1, length - 1)
    return pairs * (dx / 2.0) if x is None else pairs * diff(x) / 2.0


def trapezoid(y: Any, x: Any = None, *, dx: float = 1, dim: int = -1) -> Any:
    """The area under straight lines through the points."""
    return _strips(y, x, dx, dim).sum(dim)


def cumulative_trapezoid(y: Any, x: Any = None, *, dx: float = 1, dim: int = -1) -> Any:
    """The area up to each point."""
    return _strips(y, x, dx, dim).cumsum(dim)


def gradient(input: Any, *, spacing: Any = 1, dim: Any = None, edge_order: Any = 1) -> tuple[Any, ...]:
    """Slopes by differences, central ones inside: one tensor for each dimension.

    :param spacing: how far points are apart, or for each dimension that or (a tensor) where they are.
    """
    no_gradient(input, "gradient")
    wanted = range(input.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    apart = spacing if isinstance(spacing, tuple | list) else [spacing] * len(wanted)
    steps = [step._array if isinstance(step, Tensor) else step for step in apart]
    return tuple(
        Tensor(np.gradient(input._array, step, axis=d, edge_order=edge_order).astype(input._array.dtype))
        for step, d in zip(steps, wanted, strict=True)
    )


def deg2rad(input: Any) -> Any:
    """Degrees as radians."""
    return input * (math.pi / 180)


def rad2deg(input: Any) -> Any:
    """Radians as degrees."""
    return input * (180 / math.pi)


trapz = trapezoid
IN_TORCH = "diff trapezoid trapz cumulative_trapezoid gradient deg2rad rad2deg"
METHODS = "diff deg2rad rad2deg"
