"""Losses. ``reduction`` is ``"mean"``, ``"sum"`` or ``"none"`` (one value for each example or element).

Each has one gradient op, ``<loss>_grad``, which does the whole first derivative in a few NumPy calls; second
derivatives are composed from other ops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.promotion import result_dtype
from engine.ops.reductions import mean_kernel, sum_kernel
from engine.ops.registry import Array, op
from engine.ops.type_rules import (
    broadcast,
    per_operand_element,
    refuse_below,
    unify,
)
from engine.ops.undispatched import dot
from engine.tensor_type import Shape, TensorType

_FLOAT32 = np.dtype(np.float32)
_SHORT = 4096
"""Up to here a plain sum is as good as NumPy's pairwise one."""

_sum: Any = np.add.reduce
_max: Any = np.maximum.reduce
_min: Any = np.minimum.reduce
_LOSS: dict[str, Any] = {"category": "reduction", "symbol": "sum"}
_GRADIENT: dict[str, Any] = {"category": "gradient", "symbol": "nabla"}
_REDUCTIONS = ("mean", "sum", "none")


def reduce_loss(values: Array, reduction: str) -> Array:
    """The loss from one value for each example."""
    if reduction == "mean":
        return mean_kernel(values)
    return sum_kernel(values) if reduction == "sum" else values


def loss_shape(name: str, reduction: str, shape: Shape | None) -> Shape | None:
    if reduction not in _REDUCTIONS:
        raise ShapeError(f'{name}: reduction is "mean", "sum" or "none", not {reduction!r}', op=name)
    return shape if reduction == "none" else ()


def spread_loss(F: Any, g: Any, shape: Any, reduction: str) -> Any:
    """The gradient of a loss as the gradient of each of its values."""
    if reduction == "none":
        return g
    return F.spread_mean(g, shape, None, False, 0) if reduction == "mean" else F.spread(g, shape, None, False)


def weighted(g: Array, reduction: str, count: int) -> Array:
    return np.true_divide(g, count) if reduction == "mean" else g


def loss_weight(upstream: Any, reduction: str, count: int, factor: float = 1.0) -> Any:
    """``factor`` times what came from above, over ``count`` for a mean: a Python number where that is one, because
    NumPy multiplies by it in half the time."""
    if reduction == "mean":
        factor = factor / count if count else factor * math.nan
    if upstream.ndim == 0 and upstream.dtype is _FLOAT32:
        return float(upstream) * factor
    return np.multiply(upstream, factor)


# -- mean squared error -----------------------------------------------------------------------------------------------
def mse_loss_kernel(a: Array, b: Array, reduction: str = "mean") -> Array:
    distance = np.subtract(a, b)
    size = distance.size
    if size <= _SHORT and distance.dtype is _FLOAT32 and distance.flags.c_contiguous and size and reduction == "mean":
        flat = distance.ravel()  # the product of a vector with itself: half the calls
        return dot(flat, flat) / size  # type: ignore[no-any-return]
    return reduce_loss(np.square(distance), reduction)


def _mse_type(a: TensorType, b: TensorType, reduction: str = "mean") -> TensorType:
    dtype = result_dtype(a, b)
    refuse_below("mse_loss", dtype, 2)
    return TensorType(dtype, loss_shape("mse_loss", reduction, broadcast("mse_loss", a, b)))


def _mse_first(F: Any, g: Any, a: Any, b: Any, a_shape: Any, b_shape: Any, reduction: str) -> Any:
    full = F.mse_loss_grad(g, a, b, reduction)
    return full if a_shape == b_shape else F.sum_to(full, a_shape)


def _mse_second(F: Any, g: Any, a: Any, b: Any, a_shape: Any, b_shape: Any, reduction: str) -> Any:
    full = F.mse_loss_grad(g, b, a, reduction)
    return full if a_shape == b_shape else F.sum_to(full, b_shape)


op("mse_loss", "a b", mse_loss_kernel, _mse_type, {"a": _mse_first, "b": _mse_second}, promotion="float",
   formula=r"\frac{1}{n} \sum_i (a_i - b_i)^2", flops=per_operand_element(3), **_LOSS)  # fmt: skip


def mse_loss_grad_kernel(
    upstream: Array, a: Array, b: Array, reduction: str = "mean", out: Array | None = None
) -> Array:
    """``2 (a - b)`` times what came from above, over ``n`` for a mean."""
    distance = np.subtract(a, b, out)
    weight = loss_weight(upstream, reduction, distance.size, 2.0)
    result: Array = np.multiply(distance, weight, distance if distance.__class__ is np.ndarray else None)
    return result


def _mse_grad_type(upstream: TensorType, a: TensorType, b: TensorType, reduction: str = "mean") -> TensorType:
    return TensorType(result_dtype(a, b), broadcast("mse_loss_grad", a, b))


def _mse_grad_g(F: Any, h: Any, a: Any, b: Any, reduction: str) -> Any:
    each = F.mul(h, F.mul(F.sub(a, b), 2))
    return each if reduction == "none" else F.mean(each) if reduction == "mean" else F.sum(each)


def _mse_grad_side(F: Any, h: Any, upstream: Any, reduction: str) -> Any:
    return F.mul(F.mul(h, spread_loss(F, upstream, F.shape(h), reduction)), 2)


op("mse_loss_grad", "upstream a b", mse_loss_grad_kernel, _mse_grad_type,
   {
       "upstream": _mse_grad_g,
       "a": lambda F, h, upstream, a_shape, reduction: F.sum_to(_mse_grad_side(F, h, upstream, reduction), a_shape),
       "b": lambda F, h, upstream, b_shape, reduction: F.sum_to(
           F.neg(_mse_grad_side(F, h, upstream, reduction)), b_shape
       ),
   },
   promotion="float", accepts_out=True, formula=r"\frac{2}{n} g (a - b)", flops=per_operand_element(3),
   **_GRADIENT)  # fmt: skip


# -- binary cross entropy from logits ---------------------------------------------------------------------------------
def bce_kernel(a: Array, targets: Array, reduction: str = "mean") -> Array:
    """``max(a, 0) - a t + ln(1 + e^-|a|)``: the stable form."""
    values = np.log1p(np.exp(-np.abs(a))) + np.maximum(a, 0) - a * targets
    return reduce_loss(values, reduction)


def _bce_type(a: TensorType, targets: TensorType, reduction: str = "mean") -> TensorType:
    name = "binary_cross_entropy_with_logits"
    dtype = result_dtype(a, targets)
    refuse_below(name, dtype, 2)
    return TensorType(
        dtype, loss_shape(name, reduction, unify(name, "logits and targets", a.shape, targets.shape, a, targets))
    )


op(
    "binary_cross_entropy_with_logits",
    "a targets",
    bce_kernel,
    _bce_type,
    {
        "a": lambda F, g, a, targets, a_shape, reduction: F.mul(
            spread_loss(F, g, a_shape, reduction), F.sub(F.sigmoid(a), targets)
        ),
        "targets": lambda F, g, a, a_shape, reduction: F.neg(F.mul(spread_loss(F, g, a_shape, reduction), a)),
    },
    promotion="float",
    formula=r"-t \ln \sigma(a) - (1 - t) \ln(1 - \sigma(a))",
    flops=per_operand_element(25),
    **_LOSS,
)


# -- absolute distances -----------------------------------------------------------------------------------------------
def l1_loss_kernel(a: Array, b: Array, reduction: str = "mean") -> Array:
    """The absolute distance."""
    distance = np.subtract(a, b)
    return reduce_loss(np.abs(distance), reduction)


def _l1_type(a: TensorType, b: TensorType, reduction: str = "mean") -> TensorType:
    return _distance_type("l1_loss", a, b, reduction)


def _distance_type(name: str, a: TensorType, b: TensorType, reduction: str) -> TensorType:
    dtype = result_dtype(a, b)
    refuse_below(name, dtype, 2)
    return TensorType(dtype, loss_shape(name, reduction, broadcast(name, a, b)))


def _l1_slope(F: Any, g: Any, a: Any, b: Any, reduction: str) -> Any:
    distance = F.sub(a, b)
    return F.mul(spread_loss(F, g, F.shape(distance), reduction), F.sign(distance))


def _l1_first(F: Any, g: Any, a: Any, b: Any, a_shape: Any, reduction: str) -> Any:
    return F.sum_to(_l1_slope(F, g, a, b, reduction), a_shape)


def _l1_second(F: Any, g: Any, a: Any, b: Any, b_shape: Any, reduction: str) -> Any:
    return F.sum_to(_l1_slope(F, g, b, a, reduction), b_shape)


op("l1_loss", "a b", l1_loss_kernel, _l1_type, {"a": _l1_first, "b": _l1_second}, promotion="float",
   formula=r"\frac{1}{n} \sum_i |a_i - b_i|", flops=per_operand_element(3), **_LOSS)  # fmt: skip


def huber_loss_kernel(a: Array, b: Array, reduction: str = "mean", delta: float = 1.0) -> Array:
    """Half the square within ``delta``, a straight line beyond."""
    distance = np.abs(np.subtract(a, b))
    near = np.minimum(distance, delta)
    return reduce_loss(near * (distance - 0.5 * near), reduction)


def _huber_type(a: TensorType, b: TensorType, reduction: str = "mean", delta: float = 1.0) -> TensorType:
    return _distance_type("huber_loss", a, b, reduction)


def _huber_slope(F: Any, g: Any, a: Any, b: Any, reduction: str, delta: float) -> Any:
    distance = F.sub(a, b)
    return F.mul(spread_loss(F, g, F.shape(distance), reduction), F.clip(distance, -delta, delta))


def _huber_first(F: Any, g: Any, a: Any, b: Any, a_shape: Any, reduction: str, delta: float) -> Any:
    return F.sum_to(_huber_slope(F, g, a, b, reduction, delta), a_shape)


def _huber_second(F: Any, g: Any, a: Any, b: Any, b_shape: Any, reduction: str, delta: float) -> Any:
    return F.sum_to(_huber_slope(F, g, b, a, reduction, delta), b_shape)


op("huber_loss", "a b", huber_loss_kernel, _huber_type, {"a": _huber_first, "b": _huber_second}, promotion="float",
   formula=r"\frac{1}{n} \sum_i h_\delta(a_i - b_i)", flops=per_operand_element(5), **_LOSS)  # fmt: skip
