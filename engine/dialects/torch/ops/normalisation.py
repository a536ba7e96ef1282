"""Normalisation as PyTorch has it: one node for statistics, weight and bias."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.ops.declaring import declare
from engine.ops.registry import Array
from engine.tensor_type import TensorType

Axes = tuple[int, ...]


def _placed(parameter: Any, shape: tuple[int, ...] | None) -> Any:
    """A scale or shift of each channel where it meets its channel."""
    return parameter if shape is None or not isinstance(parameter, np.ndarray) else parameter.reshape(shape)


def normalise_kernel(
    a: Array, weight: Any, bias: Any, axes: Axes, eps: float, shape: tuple[int, ...] | None = None
) -> Array:
    """``a`` minus its mean over the root of its variance, times ``weight`` plus ``bias`` (put into ``shape``)."""
    centred = a - a.mean(axes, keepdims=True)
    spread = np.square(centred).mean(axes, keepdims=True)
    unit = centred / np.sqrt(spread + a.dtype.type(eps))
    return np.asarray(unit * _placed(weight, shape) + _placed(bias, shape), a.dtype)


def _normalise_type(
    a: TensorType, weight: Any, bias: Any, axes: Axes, eps: float, shape: tuple[int, ...] | None = None
) -> TensorType:
    return a


def _scaled(F: Any, g: Any, weight: Any, shape: Any) -> Any:
    """The gradient times the scale of its channel."""
    if isinstance(weight, int | float):
        return F.mul(g, weight)
    return F.mul(g, weight if shape is None else F.reshape(weight, shape))


def _back(F: Any, g: Any, own: Any, shape: Any) -> Any:
    """A gradient summed up to the scale or shift of each channel."""
    return F.sum_to(g, own) if shape is None else F.reshape(F.sum_to(g, shape), own)


def _normalise_a(F: Any, g: Any, a: Any, weight: Any, axes: Axes, eps: float, shape: Any) -> Any:
    unit = F.standardize(a, axes, eps)
    scale = F.rsqrt(F.add(F.var(a, axes, True), eps))
    gw = _scaled(F, g, weight, shape)
    along = F.mul(unit, F.mean(F.mul(gw, unit), axes, True))
    return F.mul(F.sub(F.sub(gw, F.mean(gw, axes, True)), along), scale)


declare(
    "normalise", "a weight bias", normalise_kernel, _normalise_type,
    {
        "a": _normalise_a,
        "weight": lambda F, g, a, weight_shape, axes, eps, shape: _back(
            F, F.mul(g, F.standardize(a, axes, eps)), weight_shape, shape
        ),
        "bias": lambda F, g, bias_shape, shape: _back(F, g, bias_shape, shape),
    },
    category="activation", symbol="μσ", formula=r"w \frac{a - \bar a}{\sqrt{\operatorname{var} a + \epsilon}} + b",
)  # fmt: skip


def fixed_kernel(
    a: Array, weight: Any, bias: Any, mean: Array, var: Array, eps: float, shape: tuple[int, ...] | None = None
) -> Array:
    """:func:`normalise_kernel` with statistics that are given (those of evaluation)."""
    unit = (a - mean) / np.sqrt(var + a.dtype.type(eps))
    return np.asarray(unit * _placed(weight, shape) + _placed(bias, shape), a.dtype)


def _unit(F: Any, a: Any, mean: Any, var: Any, eps: float) -> Any:
    return F.mul(F.sub(a, mean), F.rsqrt(F.add(var, eps)))


declare(
    "normalise_fixed", "a weight bias mean var", fixed_kernel,
    lambda a, weight, bias, mean, var, eps, shape=None: a,
    {
        "a": lambda F, g, weight, var, eps, shape: F.mul(_scaled(F, g, weight, shape), F.rsqrt(F.add(var, eps))),
        "weight": lambda F, g, a, mean, var, weight_shape, eps, shape: _back(
            F, F.mul(g, _unit(F, a, mean, var, eps)), weight_shape, shape
        ),
        "bias": lambda F, g, bias_shape, shape: _back(F, g, bias_shape, shape),
    },
    category="activation", symbol="μσ", formula=r"w \frac{a - \mu}{\sqrt{\sigma^2 + \epsilon}} + b",
)  # fmt: skip
