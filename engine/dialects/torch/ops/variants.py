"""Ops of the table as PyTorch computes them: other kernels, and gradients that are one op of their own.

The table's rows stay what they are; the facade takes these in their place.
"""

from __future__ import annotations

import inspect
import math
from dataclasses import replace
from typing import Any

import numpy as np

from engine.dialects.torch.ops import rounding
from engine.dialects.torch.ops.declaring import declare
from engine.dialects.torch.ops.rounding import fused, rounded
from engine.dialects.torch.ops.summing import mean, summed
from engine.ops.matmul import matmul_kernel
from engine.ops.registry import TABLE, Array, Gradient, Op
from engine.ops.special import erf
from engine.ops.type_rules import elementwise
from engine.tensor_type import TensorType

_f = np.float32
VARIANTS: dict[str, Op] = {}


def _variant(name: str, kernel: Any = None, **slopes: Any) -> None:
    """The op ``name`` with another kernel, or with other gradients."""
    row = TABLE[name]
    changed = {} if kernel is None else {"kernel": kernel, "accepts_out": "out" in inspect.signature(kernel).parameters}
    gradients = {
        operand: Gradient(slope, tuple(inspect.signature(slope).parameters)[2:]) for operand, slope in slopes.items()
    }
    VARIANTS[name] = replace(row, **changed, gradients={**row.gradients, **gradients})


for _name, _function in {
    "exp": np.exp, "log": np.log, "log1p": np.log1p, "expm1": np.expm1, "log2": np.log2, "log10": np.log10,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}.items():  # fmt: skip
    _variant(_name, rounded(_function))


# -- slopes that are ops ----------------------------------------------------------------------------------------------
def _tanh_slope(g: Array, out: Array) -> Array:
    if out.dtype != _f:
        return g * (1 - out * out)  # type: ignore[no-any-return]
    return g * fused(-out, out, _f(1))  # type: ignore[no-any-return]


declare(
    "tanh_slope", "upstream result", _tanh_slope, elementwise("tanh_slope"),
    {
        "upstream": lambda F, h, result: F.tanh_slope(h, result),
        "result": lambda F, h, upstream, result: F.mul(F.mul(F.mul(h, upstream), result), -2.0),
    },
    elementwise=True, formula=r"a (1 - b^2)",
)  # fmt: skip
declare(
    "sigmoid_slope", "upstream result", lambda g, out: g * (1 - out) * out, elementwise("sigmoid_slope"),
    {
        "upstream": lambda F, h, result: F.sigmoid_slope(h, result),
        "result": lambda F, h, upstream, result: F.mul(F.mul(h, upstream), F.sub(1, F.mul(result, 2.0))),
    },
    elementwise=True, formula=r"a (1 - b) b",
)  # fmt: skip


def _sigmoid(a: Array) -> Array:
    if a.dtype != _f:
        return TABLE["sigmoid"].kernel(a)
    return 1 / (rounding.exp(-a) + _f(1))  # type: ignore[no-any-return]


_variant("tanh", rounded(np.tanh), a=lambda F, g, out: F.tanh_slope(g, out))
_variant("sigmoid", _sigmoid, a=lambda F, g, out: F.sigmoid_slope(g, out))
_variant("relu_grad", result=lambda F, h: F.zeros_like(h))


# -- the rest ---------------------------------------------------------------------------------------------------------
def _power(a: Any, b: Any) -> Any:
    if b.__class__ in (int, float) and a.dtype == _f:
        if b == 2:
            return a * a
        if b == 3:
            return a * a * a
        if b == 0.5:
            return np.sqrt(a)
        if b == -1:
            return 1 / a
        if b == -2:
            return 1 / (a * a)
        return np.power(a, b, dtype=np.float64).astype(_f)
    if _f in (getattr(a, "dtype", None), getattr(b, "dtype", None)):
        kind = np.result_type(a, b)
        return np.power(a, b, dtype=np.float64).astype(kind) if kind == _f else np.power(a, b)
    return np.power(a, b)


_variant("pow", _power)
_variant("erf", lambda a: erf(a.astype(np.float64)).astype(a.dtype))
_variant("elu", lambda a, alpha=1.0: np.where(a > 0, a, rounding.expm1(np.minimum(a, 0)) * a.dtype.type(alpha)))
_variant("silu", lambda a: a * _sigmoid(a) if a.dtype != _f else a / (rounding.exp(-a) + _f(1)))


def _sum_to(a: Array, shape: Any) -> Array:
    """The transpose of broadcasting: ``a`` summed down to ``shape``."""
    lead = a.ndim - len(shape)
    if a.shape[lead:] == shape and lead:
        return summed(a, 0 if lead == 1 else tuple(range(lead)))
    axes = [*range(lead), *(i + lead for i, size in enumerate(shape) if size == 1 and a.shape[i + lead] != 1)]
    return summed(a, tuple(axes), True).reshape(shape) if axes else a


_variant("sum", summed)
_variant("mean", mean)
_variant("sum_to", _sum_to)


def _softmax(a: Array, axis: int = -1) -> Array:
    if a.dtype != _f or not a.size:
        return TABLE["softmax"].kernel(a, axis)
    shifted = a - a.max(axis, keepdims=True)
    if axis in (-1, a.ndim - 1):
        powers = rounding.fast_exp(shifted)
        return powers * (1 / rounding.row_sum(powers))
    powers = _column_exp(shifted, axis)
    return powers / powers.sum(axis, keepdims=True)  # type: ignore[no-any-return]


def _log_softmax(a: Array, axis: int = -1) -> Array:
    if a.dtype != _f or not a.size:
        return TABLE["log_softmax"].kernel(a, axis)
    shifted = a - a.max(axis, keepdims=True)
    if axis in (-1, a.ndim - 1):
        total = rounding.row_sum(rounding.fast_exp(shifted))
    else:
        total = _column_exp(shifted, axis).sum(axis, keepdims=True)
    return shifted - rounding.log(total)  # type: ignore[no-any-return]


def _column_exp(a: Array, axis: int) -> Array:
    """Whole registers of columns by the polynomial, few columns one by one."""
    return rounding.fast_exp(a) if math.prod(a.shape[axis:][1:]) >= rounding.LANES else rounding.exp(a)


def _softmax_slope(g: Array, out: Array, axis: int) -> Array:
    product = g * out
    total = rounding.row_sum(product) if axis in (-1, out.ndim - 1) else product.sum(axis, keepdims=True)
    return (g - total) * out


def _log_softmax_slope(g: Array, out: Array, axis: int) -> Array:
    total = rounding.row_sum(g) if axis in (-1, out.ndim - 1) else g.sum(axis, keepdims=True)
    if out.dtype != _f:
        return g - np.exp(out) * total  # type: ignore[no-any-return]
    return fused(-rounding.fast_exp(out), total, g)  # type: ignore[no-any-return]


def _along(upstream: TensorType, result: TensorType, axis: int) -> TensorType:
    return result


declare(
    "softmax_slope", "upstream result", _softmax_slope, _along,
    {
        "upstream": lambda F, h, result, axis: F.softmax_slope(h, result, axis),
        "result": lambda F, h, upstream, result, axis: F.sub(
            F.mul(h, F.sub(upstream, F.sum(F.mul(upstream, result), axis, True))),
            F.mul(upstream, F.sum(F.mul(h, result), axis, True)),
        ),
    },
    formula=r"b (a - \sum a b)",
)  # fmt: skip
declare(
    "log_softmax_slope", "upstream result", _log_softmax_slope, _along,
    {
        "upstream": lambda F, h, result, axis: F.sub(h, F.sum(F.mul(h, F.exp(result)), axis, True)),
        "result": lambda F, h, upstream, result, axis: F.neg(
            F.mul(F.mul(h, F.exp(result)), F.sum(upstream, axis, True))
        ),
    },
    formula=r"a - e^b \sum a",
)  # fmt: skip
_variant("softmax", _softmax, a=lambda F, g, out, axis: F.softmax_slope(g, out, axis))
_variant("log_softmax", _log_softmax, a=lambda F, g, out, axis: F.log_softmax_slope(g, out, axis))


# -- small batches of matrices ----------------------------------------------------------------------------------------
_SMALL = 400
"""Below so many multiplications a matrix, PyTorch leaves BLAS aside and adds products one after another."""


def _matmul(
    a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False, out: Array | None = None
) -> Array:
    if a.ndim == 3 == b.ndim and a.dtype == _f == b.dtype and len(a) == len(b):
        first = a.swapaxes(1, 2) if transpose_a else a
        second = b.swapaxes(1, 2) if transpose_b else b
        rows, inner = first.shape[1:]
        if second.shape[1] == inner and 0 < rows * inner * second.shape[2] < _SMALL:
            total = np.multiply(first[:, :, :1], second[:, :1], out=out)
            for k in range(1, inner):
                total += first[:, :, k : k + 1] * second[:, k : k + 1]
            return total
    return matmul_kernel(a, b, transpose_a, transpose_b, out)


_variant("matmul", _matmul)
