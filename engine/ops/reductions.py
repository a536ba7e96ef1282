"""Reductions over axes, and ``spread``: how a gradient goes back to what was reduced.

``axis`` is ``None`` (all), an integer or a tuple of integers. ``spread(g, shape, axis, keepdims)`` is the transpose of
``sum``: it repeats ``g`` along the reduced axes; ``spread_mean`` is the transpose of ``mean``.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from engine.errors import DtypeError
from engine.ops.promotion import DEFAULT_INTEGER, category, operand_dtype
from engine.ops.registry import Array, op
from engine.ops.type_rules import (
    Axis,
    per_operand_element,
    reduced,
    refuse_below,
    shape_error,
    show,
)
from engine.tensor_type import TensorType

_HALF = np.dtype(np.float16)
_sum: Any = np.add.reduce
_max: Any = np.maximum.reduce
_min: Any = np.minimum.reduce
_all: Any = np.logical_and.reduce
_any: Any = np.logical_or.reduce
_divide: Any = np.true_divide


def count_reduced(shape: tuple[int, ...], axis: Axis) -> int:
    """How many elements of ``shape`` go into one element of the result."""
    if axis is None:
        return prod(shape)
    return shape[axis] if isinstance(axis, int) else prod(shape[i] for i in axis)


def sum_kernel(a: Array, axis: Axis = None, keepdims: bool = False, out: Array | None = None) -> Array:
    return _sum(a, axis, None, out, keepdims)  # type: ignore[no-any-return]


def mean_kernel(a: Array, axis: Axis = None, keepdims: bool = False, ddof: int = 0, out: Array | None = None) -> Array:
    """The sum divided by ``n - ddof``; empty means are not a number, as in every framework."""
    if a.dtype is _HALF:  # the sum of many halves overflows where their mean does not
        wide = mean_kernel(a.astype(np.float32), axis, keepdims, ddof).astype(_HALF)
        if out is None:
            return wide
        out[...] = wide
        return out
    total = _sum(a, axis, None, out, keepdims)
    n = (a.size if axis is None else a.shape[axis] if axis.__class__ is int else count_reduced(a.shape, axis)) - ddof
    if total.__class__ is not np.ndarray:  # a NumPy scalar: its own division is much faster than the ufunc
        return total / n if n else np.true_divide(total, n)  # type: ignore[no-any-return]
    return _divide(total, n, total)  # type: ignore[no-any-return]


def var_kernel(a: Array, axis: Axis = None, keepdims: bool = False, ddof: int = 0) -> Array:
    """The mean squared distance from the mean, over ``n - ddof``."""
    centred = np.subtract(a, mean_kernel(a, axis, True))
    return mean_kernel(np.square(centred, centred if centred.__class__ is np.ndarray else None), axis, keepdims, ddof)


def max_kernel(a: Array, axis: Axis = None, keepdims: bool = False, out: Array | None = None) -> Array:
    return _max(a, axis, None, out, keepdims)  # type: ignore[no-any-return]


def min_kernel(a: Array, axis: Axis = None, keepdims: bool = False, out: Array | None = None) -> Array:
    return _min(a, axis, None, out, keepdims)  # type: ignore[no-any-return]


def all_kernel(a: Array, axis: Axis = None, keepdims: bool = False, out: Array | None = None) -> Array:
    return _all(a, axis, None, out, keepdims)  # type: ignore[no-any-return]


def any_kernel(a: Array, axis: Axis = None, keepdims: bool = False, out: Array | None = None) -> Array:
    return _any(a, axis, None, out, keepdims)  # type: ignore[no-any-return]


def logsumexp_kernel(a: Array, axis: Axis = None, keepdims: bool = False) -> Array:
    """ln of the sum of exponentials, without overflow."""
    top = _max(a, axis, None, None, True)
    top = np.where(np.isfinite(top), top, top.dtype.type(0))  # all -inf: exp(-inf - -inf) would not be a number
    result = np.log(_sum(np.exp(a - top), axis, None, None, True)) + top
    return result if keepdims else squeeze_axes(result, axis)


def squeeze_axes(a: Array, axis: Axis) -> Array:
    """``a`` without the axes that a reduction with ``keepdims`` left at size 1."""
    return a.reshape(()) if axis is None else np.squeeze(a, axis)


def expand_axes(g: Array, rank: int, axis: Axis) -> Array:
    """``g`` with size 1 where a reduction without ``keepdims`` took axes out of ``rank`` dimensions."""
    if axis is None or g.ndim == 0:
        return g
    axes = (axis,) if isinstance(axis, int) else axis
    axes = tuple(i % rank for i in axes)
    sizes = iter(g.shape)
    return g.reshape([1 if i in axes else next(sizes) for i in range(rank)])


def spread_kernel(
    a: Array, shape: tuple[int, ...], axis: Axis = None, keepdims: bool = False, out: Array | None = None
) -> Array:
    """``a`` repeated along the reduced axes, up to ``shape``."""
    if out is None:
        out = np.empty(shape, a.dtype)
    if a.ndim == 0:
        out.fill(a)
    else:
        out[...] = a if keepdims else expand_axes(a, len(shape), axis)
    return out


def spread_mean_kernel(
    a: Array, shape: tuple[int, ...], axis: Axis = None, keepdims: bool = False, ddof: int = 0, out: Array | None = None
) -> Array:
    """``a / (n - ddof)`` repeated along the reduced axes, up to ``shape``."""
    n = count_reduced(shape, axis) - ddof
    return spread_kernel(a / n if n else np.true_divide(a, n), shape, axis, keepdims, out)


def reduction_rule(
    name: str, promotion: str = "", kind: Callable[[Any], Any] | None = None
) -> Callable[..., TensorType]:
    """The rule of a reduction with ``axis`` and ``keepdims``; ``kind`` maps the operand's dtype to the result's."""

    def rule(a: TensorType, axis: Axis = None, keepdims: bool = False) -> TensorType:
        dtype = operand_dtype(promotion, a) or a.dtype
        return TensorType(dtype if kind is None else kind(dtype), reduced(name, a, axis, keepdims))

    return rule


def widened(dtype: Any) -> Any:
    """Sums and products of integers and bools are int64, as in PyTorch and NumPy."""
    return (
        DEFAULT_INTEGER
        if category(dtype) < 2 and dtype.kind != "u"
        else np.dtype(np.uint64)
        if dtype.kind == "u"
        else dtype
    )


def _not_empty(name: str) -> Callable[..., TensorType]:
    plain = reduction_rule(name)

    def rule(a: TensorType, axis: Axis = None, keepdims: bool = False) -> TensorType:
        result = plain(a, axis, keepdims)
        if a.is_known and a.shape is not None and count_reduced(a.shape, axis) == 0:  # type: ignore[arg-type]
            raise shape_error(
                name, f"shape {show(a.shape)} has no elements along axis {axis}, so there is no {name}", a
            )
        return result

    return rule


def _extreme_vjp(F: Any, g: Any, a: Any, out: Any, a_shape: Any, a_dtype: Any, axis: Axis, keepdims: bool) -> Any:
    """Elements that are the extreme share the gradient evenly."""
    hit = F.cast(F.equal(a, F.spread(out, a_shape, axis, keepdims)), a_dtype)
    share = F.div(g, F.sum(hit, axis, keepdims))
    return F.mul(F.spread(share, a_shape, axis, keepdims), hit)


def _var_vjp(F: Any, g: Any, a: Any, a_shape: Any, axis: Axis, keepdims: bool, ddof: int) -> Any:
    centred = F.sub(a, F.mean(a, axis, True))
    return F.mul(F.spread_mean(g, a_shape, axis, keepdims, ddof), F.mul(centred, 2))


def _logsumexp_vjp(F: Any, g: Any, a: Any, out: Any, a_shape: Any, axis: Axis, keepdims: bool) -> Any:
    return F.mul(F.spread(g, a_shape, axis, keepdims), F.exp(F.sub(a, F.spread(out, a_shape, axis, keepdims))))


def _mean_type(a: TensorType, axis: Axis = None, keepdims: bool = False, ddof: int = 0) -> TensorType:
    refuse_below("mean", a.dtype, 2)
    return TensorType(a.dtype, reduced("mean", a, axis, keepdims))


def _var_type(a: TensorType, axis: Axis = None, keepdims: bool = False, ddof: int = 0) -> TensorType:
    refuse_below("var", a.dtype, 2)
    return TensorType(a.dtype, reduced("var", a, axis, keepdims))


_COMMON: dict[str, Any] = {"category": "reduction", "symbol": "sum"}

op(
    "sum", "a", sum_kernel, reduction_rule("sum", kind=widened),
    {"a": lambda F, g, a_shape, axis, keepdims: F.spread(g, a_shape, axis, keepdims)},
    accepts_out=True, formula=r"\sum_i a_i", flops=per_operand_element(), **_COMMON,
)  # fmt: skip
op(
    "mean", "a", mean_kernel, _mean_type,
    {"a": lambda F, g, a_shape, axis, keepdims, ddof: F.spread_mean(g, a_shape, axis, keepdims, ddof)},
    accepts_out=True, formula=r"\frac{1}{n} \sum_i a_i", flops=per_operand_element(), **_COMMON,
)  # fmt: skip
op("var", "a", var_kernel, _var_type, {"a": _var_vjp}, formula=r"\frac{1}{n} \sum_i (a_i - \bar a)^2",
   flops=per_operand_element(4), **_COMMON)  # fmt: skip
op("max", "a", max_kernel, _not_empty("max"), {"a": _extreme_vjp}, accepts_out=True, formula=r"\max_i a_i",
   flops=per_operand_element(), **_COMMON)  # fmt: skip
op("min", "a", min_kernel, _not_empty("min"), {"a": _extreme_vjp}, accepts_out=True, formula=r"\min_i a_i",
   flops=per_operand_element(), **_COMMON)  # fmt: skip
op("logsumexp", "a", logsumexp_kernel, reduction_rule("logsumexp", "float"), {"a": _logsumexp_vjp}, promotion="float",
   formula=r"\ln \sum_i e^{a_i}", flops=per_operand_element(20), **_COMMON)  # fmt: skip
op("all", "a", all_kernel, reduction_rule("all", "bool"), None, accepts_out=True, promotion="bool",
   formula=r"\bigwedge_i a_i", **_COMMON)  # fmt: skip
op("any", "a", any_kernel, reduction_rule("any", "bool"), None, accepts_out=True, promotion="bool",
   formula=r"\bigvee_i a_i", **_COMMON)  # fmt: skip


def argmax_kernel(a: Array, axis: int | None = None, keepdims: bool = False) -> Array:
    return np.asarray(np.argmax(a, axis, keepdims=keepdims))


def argmin_kernel(a: Array, axis: int | None = None, keepdims: bool = False) -> Array:
    return np.asarray(np.argmin(a, axis, keepdims=keepdims))


def _position_rule(name: str) -> Callable[..., TensorType]:
    plain = _not_empty(name)

    def rule(a: TensorType, axis: int | None = None, keepdims: bool = False) -> TensorType:
        if isinstance(axis, tuple):
            raise DtypeError(f"{name}: axis must be one integer or None, not {axis}")
        return TensorType(DEFAULT_INTEGER, plain(a, axis, keepdims).shape)

    return rule


op("argmax", "a", argmax_kernel, _position_rule("argmax"), None, formula=r"\arg\max_i a_i",
   flops=per_operand_element(), **_COMMON)  # fmt: skip
op("argmin", "a", argmin_kernel, _position_rule("argmin"), None, formula=r"\arg\min_i a_i",
   flops=per_operand_element(), **_COMMON)  # fmt: skip
