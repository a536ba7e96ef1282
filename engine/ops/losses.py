"""Losses. ``reduction`` is ``"mean"``, ``"sum"`` or ``"none"`` (one value for each example or element).

Each has one gradient op, ``<loss>_grad``, which does the whole first derivative in a few NumPy calls; second
derivatives are composed from other ops."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine.errors import BoundsError, ShapeError
from engine.ops.promotion import result_dtype
from engine.ops.reductions import mean_kernel, sum_kernel
from engine.ops.registry import Array, op
from engine.ops.softmax import softmax_kernel
from engine.ops.type_rules import (
    broadcast,
    need_integer,
    normal_axis,
    per_operand_element,
    refuse_below,
    shape_error,
    show,
    unify,
)
from engine.tensor_type import Shape, TensorType

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


def _loss_shape(name: str, reduction: str, shape: Shape | None) -> Shape | None:
    if reduction not in _REDUCTIONS:
        raise ShapeError(f'{name}: reduction is "mean", "sum" or "none", not {reduction!r}', op=name)
    return shape if reduction == "none" else ()


def spread_loss(F: Any, g: Any, shape: Any, reduction: str) -> Any:
    """The gradient of a loss as the gradient of each of its values."""
    if reduction == "none":
        return g
    return F.spread_mean(g, shape, None, False, 0) if reduction == "mean" else F.spread(g, shape, None, False)


def _weight(g: Array, reduction: str, count: int) -> Array:
    return np.true_divide(g, count) if reduction == "mean" else g


# -- mean squared error -----------------------------------------------------------------------------------------------
def mse_loss_kernel(a: Array, b: Array, reduction: str = "mean") -> Array:
    distance = np.subtract(a, b)
    return reduce_loss(np.square(distance), reduction)


def _mse_type(a: TensorType, b: TensorType, reduction: str = "mean") -> TensorType:
    dtype = result_dtype(a, b)
    refuse_below("mse_loss", dtype, 2)
    return TensorType(dtype, _loss_shape("mse_loss", reduction, broadcast("mse_loss", a, b)))


def _mse_first(F: Any, g: Any, a: Any, b: Any, a_shape: Any, b_shape: Any, reduction: str) -> Any:
    full = F.mse_loss_grad(g, a, b, reduction)
    return full if a_shape == b_shape else F.sum_to(full, a_shape)


def _mse_second(F: Any, g: Any, a: Any, b: Any, a_shape: Any, b_shape: Any, reduction: str) -> Any:
    full = F.mse_loss_grad(g, b, a, reduction)
    return full if a_shape == b_shape else F.sum_to(full, b_shape)


op("mse_loss", "a b", mse_loss_kernel, _mse_type, {"a": _mse_first, "b": _mse_second}, promotion="float",
   formula=r"\frac{1}{n} \sum_i (a_i - b_i)^2", flops=per_operand_element(3), **_LOSS)  # fmt: skip


def mse_loss_grad_kernel(g: Array, a: Array, b: Array, reduction: str = "mean") -> Array:
    """``2 g (a - b)``, over ``n`` for a mean."""
    distance = np.subtract(a, b)
    return np.multiply(distance, _weight(g * 2, reduction, distance.size))


def _mse_grad_type(g: TensorType, a: TensorType, b: TensorType, reduction: str = "mean") -> TensorType:
    return TensorType(result_dtype(a, b), broadcast("mse_loss_grad", a, b))


def _mse_grad_g(F: Any, h: Any, a: Any, b: Any, reduction: str) -> Any:
    each = F.mul(h, F.mul(F.sub(a, b), 2))
    return each if reduction == "none" else F.mean(each) if reduction == "mean" else F.sum(each)


def _mse_grad_side(F: Any, h: Any, g: Any, reduction: str) -> Any:
    return F.mul(F.mul(h, spread_loss(F, g, F.shape(h), reduction)), 2)


op("mse_loss_grad", "g a b", mse_loss_grad_kernel, _mse_grad_type,
   {
       "g": _mse_grad_g,
       "a": lambda F, h, g, a_shape, reduction: F.sum_to(_mse_grad_side(F, h, g, reduction), a_shape),
       "b": lambda F, h, g, b_shape, reduction: F.neg(F.sum_to(_mse_grad_side(F, h, g, reduction), b_shape)),
   },
   promotion="float", formula=r"\frac{2}{n} g (a - b)", flops=per_operand_element(3), **_GRADIENT)  # fmt: skip


# -- cross entropy from logits, integer targets -----------------------------------------------------------------------
@lru_cache(maxsize=64)
def _rows(count: int) -> Array:
    rows = np.arange(count)
    rows.flags.writeable = False
    return rows


def _picked(a: Array, targets: Array, axis: int) -> tuple[Any, ...]:
    """The index of each example's target class.

    :raises BoundsError: a class number is negative or too large.
    """
    classes = a.shape[axis]
    if targets.size and not (_min(targets, None) >= 0 and _max(targets, None) < classes):
        raise BoundsError(
            f"cross_entropy: class numbers from {targets.min()} to {targets.max()} in targets of shape "
            f"{targets.shape}, but logits of shape {a.shape} have {classes} classes; use 0 to {classes - 1}"
        )
    if a.ndim == 2 and axis in (1, -1):
        return _rows(a.shape[0]), targets
    axis %= a.ndim
    grid: list[Any] = list(np.ogrid[tuple(slice(n) for n in targets.shape)]) if targets.ndim else []
    return (*grid[:axis], targets, *grid[axis:])


def cross_entropy_kernel(a: Array, targets: Array, reduction: str = "mean", axis: int = -1) -> Array:
    """``-ln softmax(a)[target]`` along ``axis``; ``targets`` has the shape of ``a`` without it."""
    shifted = np.subtract(a, _max(a, axis, None, None, True))
    picked = shifted[_picked(a, targets, axis)]
    total = _sum(np.exp(shifted, shifted), axis)
    return reduce_loss(np.subtract(np.log(total), picked), reduction)


def _class_shape(name: str, a: TensorType, targets: TensorType, axis: int) -> Shape | None:
    """The shape of one value for each example."""
    refuse_below(name, a.dtype, 2)
    need_integer(name, "targets (class numbers)", targets.dtype)
    if a.shape is None:
        return targets.shape
    place = normal_axis(name, axis, len(a.shape), a)
    rest = (*a.shape[:place], *a.shape[place + 1 :])
    try:
        return unify(name, "", rest, targets.shape)
    except ShapeError:
        raise shape_error(
            name, f"logits of shape {show(a.shape)} need targets of shape {show(rest)} (one class number for each "
            f"example), but theirs is {show(targets.shape)}", a, targets,
        ) from None  # fmt: skip


def _cross_entropy_type(a: TensorType, targets: TensorType, reduction: str = "mean", axis: int = -1) -> TensorType:
    return TensorType(a.dtype, _loss_shape("cross_entropy", reduction, _class_shape("cross_entropy", a, targets, axis)))


op(
    "cross_entropy",
    "a targets",
    cross_entropy_kernel,
    _cross_entropy_type,
    {"a": lambda F, g, a, targets, reduction, axis: F.cross_entropy_grad(g, a, targets, reduction, axis)},
    unpromoted=frozenset({"targets"}),
    formula=r"-\ln \operatorname{softmax}(a)_t",
    flops=per_operand_element(15),
    **_LOSS,
)


def cross_entropy_grad_kernel(g: Array, a: Array, targets: Array, reduction: str = "mean", axis: int = -1) -> Array:
    """``g (softmax(a) - one_hot(targets))``, over the number of examples for a mean."""
    result = softmax_kernel(a, axis)
    result[_picked(a, targets, axis)] -= 1
    weight = _weight(g, reduction, targets.size)
    return np.multiply(result, np.expand_dims(weight, axis) if reduction == "none" else weight, result)  # type: ignore[no-any-return]


def _cross_entropy_grad_type(
    g: TensorType, a: TensorType, targets: TensorType, reduction: str = "mean", axis: int = -1
) -> TensorType:
    return a


def _cross_entropy_grad_g(F: Any, h: Any, g: Any, a: Any, targets: Any, reduction: str, axis: int) -> Any:
    each = F.mul(h, F.cross_entropy_grad(F.ones_like(g), a, targets, reduction, axis))
    return F.sum(each, axis if reduction == "none" else None, False)


def _cross_entropy_grad_a(F: Any, h: Any, g: Any, a: Any, targets_shape: Any, reduction: str, axis: int) -> Any:
    p = F.softmax(a, axis)
    weighted = F.mul(h, F.expand_dims(spread_loss(F, g, targets_shape, reduction), axis))
    return F.mul(p, F.sub(weighted, F.sum(F.mul(weighted, p), axis, True)))


op("cross_entropy_grad", "g a targets", cross_entropy_grad_kernel, _cross_entropy_grad_type,
   {"g": _cross_entropy_grad_g, "a": _cross_entropy_grad_a}, unpromoted=frozenset({"targets"}),
   formula=r"\frac{g}{n} (\operatorname{softmax}(a) - e_t)", flops=per_operand_element(15), **_GRADIENT)  # fmt: skip


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
        dtype, _loss_shape(name, reduction, unify(name, "logits and targets", a.shape, targets.shape, a, targets))
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
