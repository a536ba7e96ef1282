"""Normalisation as PyTorch has it: one node for statistics, weight and bias."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.ops.declaring import declare
from engine.ops.registry import Array
from engine.tensor_type import TensorType

Axes = tuple[int, ...]


def normalise_kernel(a: Array, weight: Any, bias: Any, axes: Axes, eps: float) -> Array:
    """``a`` minus its mean over the root of its variance, times ``weight`` plus ``bias``; they broadcast to ``a``."""
    centred = a - a.mean(axes, keepdims=True)
    spread = np.square(centred).mean(axes, keepdims=True)
    return np.asarray(centred / np.sqrt(spread + a.dtype.type(eps)) * weight + bias, a.dtype)


def _normalise_type(a: TensorType, weight: Any, bias: Any, axes: Axes, eps: float) -> TensorType:
    return a


def _normalise_a(F: Any, g: Any, a: Any, weight: Any, axes: Axes, eps: float) -> Any:
    unit = F.standardize(a, axes, eps)
    scale = F.rsqrt(F.add(F.var(a, axes, True), eps))
    gw = F.mul(g, weight)
    along = F.mul(unit, F.mean(F.mul(gw, unit), axes, True))
    return F.mul(F.sub(F.sub(gw, F.mean(gw, axes, True)), along), scale)


declare(
    "normalise", "a weight bias", normalise_kernel, _normalise_type,
    {
        "a": _normalise_a,
        "weight": lambda F, g, a, weight_shape, axes, eps: F.sum_to(F.mul(g, F.standardize(a, axes, eps)), weight_shape),
        "bias": lambda F, g, bias_shape: F.sum_to(g, bias_shape),
    },
    category="activation", symbol="μσ", formula=r"w \frac{a - \bar a}{\sqrt{\operatorname{var} a + \epsilon}} + b",
)  # fmt: skip


def fixed_kernel(a: Array, weight: Any, bias: Any, mean: Array, var: Array, eps: float) -> Array:
    """:func:`normalise_kernel` with statistics that are given (those of evaluation)."""
    return np.asarray((a - mean) / np.sqrt(var + a.dtype.type(eps)) * weight + bias, a.dtype)


def _unit(F: Any, a: Any, mean: Any, var: Any, eps: float) -> Any:
    return F.mul(F.sub(a, mean), F.rsqrt(F.add(var, eps)))


declare(
    "normalise_fixed", "a weight bias mean var", fixed_kernel,
    lambda a, weight, bias, mean, var, eps: a,
    {
        "a": lambda F, g, weight, var, eps: F.mul(F.mul(g, weight), F.rsqrt(F.add(var, eps))),
        "weight": lambda F, g, a, mean, var, weight_shape, eps: F.sum_to(
            F.mul(g, _unit(F, a, mean, var, eps)), weight_shape
        ),
        "bias": lambda F, g, bias_shape: F.sum_to(g, bias_shape),
    },
    category="activation", symbol="μσ", formula=r"w \frac{a - \mu}{\sqrt{\sigma^2 + \epsilon}} + b",
)  # fmt: skip
