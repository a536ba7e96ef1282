"""Normalisation: what layer, batch and instance norm have in common, and lengths."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.reductions import mean_kernel, sum_kernel, var_kernel
from engine.ops.registry import Array, op
from engine.ops.type_rules import Axis, normal_axes, per_operand_element, reduced, refuse_below
from engine.tensor_type import TensorType


def standardize_kernel(a: Array, axis: Axis = -1, epsilon: float = 1e-5) -> Array:
    """``a`` minus its mean, divided by the root of its variance plus ``epsilon``, over ``axis``."""
    centred = np.subtract(a, mean_kernel(a, axis, True))
    spread = mean_kernel(np.square(centred), axis, True)
    return np.true_divide(centred, np.sqrt(spread + a.dtype.type(epsilon)), centred)  # type: ignore[no-any-return]


def _standardize_type(a: TensorType, axis: Axis = -1, epsilon: float = 1e-5) -> TensorType:
    refuse_below("standardize", a.dtype, 2)
    if a.shape is not None:
        normal_axes("standardize", axis, a)
    return a


def _standardize_vjp(F: Any, g: Any, a: Any, out: Any, axis: Axis, epsilon: float) -> Any:
    scale = F.rsqrt(F.add(F.var(a, axis, True), epsilon))
    along = F.mul(out, F.mean(F.mul(g, out), axis, True))
    return F.mul(F.sub(F.sub(g, F.mean(g, axis, True)), along), scale)


op("standardize", "a", standardize_kernel, _standardize_type, {"a": _standardize_vjp},
   formula=r"\frac{a - \bar a}{\sqrt{\operatorname{var} a + \epsilon}}", flops=per_operand_element(8),
   category="activation", symbol="μσ")  # fmt: skip


def std_kernel(a: Array, axis: Axis = None, keepdims: bool = False, ddof: int = 0) -> Array:
    """The root of the variance over ``n - ddof``."""
    return np.sqrt(var_kernel(a, axis, keepdims, ddof))


def _std_type(a: TensorType, axis: Axis = None, keepdims: bool = False, ddof: int = 0) -> TensorType:
    refuse_below("std", a.dtype, 2)
    return TensorType(a.dtype, reduced("std", a, axis, keepdims))


def _std_vjp(F: Any, g: Any, a: Any, out: Any, a_shape: Any, axis: Axis, keepdims: bool, ddof: int) -> Any:
    centred = F.sub(a, F.mean(a, axis, True))
    return F.mul(F.spread_mean(F.div(g, out), a_shape, axis, keepdims, ddof), centred)


def norm_kernel(a: Array, axis: Axis = None, keepdims: bool = False) -> Array:
    """The root of the sum of squares."""
    return np.sqrt(sum_kernel(np.square(a), axis, keepdims))


def _norm_type(a: TensorType, axis: Axis = None, keepdims: bool = False) -> TensorType:
    refuse_below("norm", a.dtype, 2)
    return TensorType(a.dtype, reduced("norm", a, axis, keepdims))


def _norm_vjp(F: Any, g: Any, a: Any, out: Any, a_shape: Any, axis: Axis, keepdims: bool) -> Any:
    """The direction of ``a``; at length 0, where there is none, the gradient is 0 (as in PyTorch)."""
    safe = F.where(F.equal(out, 0), 1, out)
    return F.mul(F.spread(F.div(g, safe), a_shape, axis, keepdims), a)


_COMMON: dict[str, Any] = {"category": "reduction", "symbol": "sum"}
op(
    "std",
    "a",
    std_kernel,
    _std_type,
    {"a": _std_vjp},
    formula=r"\sqrt{\operatorname{var} a}",
    flops=per_operand_element(4),
    **_COMMON,
)
op(
    "norm",
    "a",
    norm_kernel,
    _norm_type,
    {"a": _norm_vjp},
    formula=r"\sqrt{\sum_i a_i^2}",
    flops=per_operand_element(2),
    **_COMMON,
)
