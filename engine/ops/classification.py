"""Losses of classification with class numbers as targets."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine.errors import BoundsError, ShapeError
from engine.ops.losses import loss_shape, reduce_loss, spread_loss, weighted
from engine.ops.registry import Array, op
from engine.ops.softmax import softmax_kernel
from engine.ops.type_rules import (
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
_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_LOSS: dict[str, Any] = {"category": "reduction", "symbol": "sum"}
_GRADIENT: dict[str, Any] = {"category": "gradient", "symbol": "nabla"}


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
    # Seen without sign, a negative number is larger than any: one look at the largest finds both mistakes.
    unsigned = targets.view(_UNSIGNED[targets.dtype.itemsize]) if targets.dtype.kind == "i" else targets
    if targets.size and _max(unsigned, None) >= classes:
        raise BoundsError(
            f"cross_entropy: class numbers from {targets.min()} to {targets.max()} in targets of shape "
            f"{targets.shape}, but logits of shape {a.shape} have {classes} classes; use 0 to {classes - 1}",
            indices=targets,
            size=classes,
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
    return TensorType(a.dtype, loss_shape("cross_entropy", reduction, _class_shape("cross_entropy", a, targets, axis)))


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


def cross_entropy_grad_kernel(
    upstream: Array, a: Array, targets: Array, reduction: str = "mean", axis: int = -1
) -> Array:
    """``softmax(a) - one_hot(targets)`` times what came from above, over the number of examples for a mean."""
    result = softmax_kernel(a, axis)
    result[_picked(a, targets, axis)] -= 1
    weight = weighted(upstream, reduction, targets.size)
    return np.multiply(result, np.expand_dims(weight, axis) if reduction == "none" else weight, result)  # type: ignore[no-any-return]


def _cross_entropy_grad_type(
    upstream: TensorType, a: TensorType, targets: TensorType, reduction: str = "mean", axis: int = -1
) -> TensorType:
    return a


def _cross_entropy_grad_g(F: Any, h: Any, upstream: Any, a: Any, targets: Any, reduction: str, axis: int) -> Any:
    each = F.mul(h, F.cross_entropy_grad(F.ones_like(upstream), a, targets, reduction, axis))
    return F.sum(each, axis if reduction == "none" else None, False)


def _cross_entropy_grad_a(F: Any, h: Any, upstream: Any, a: Any, targets_shape: Any, reduction: str, axis: int) -> Any:
    p = F.softmax(a, axis)
    shared = F.mul(h, F.expand_dims(spread_loss(F, upstream, targets_shape, reduction), axis))
    return F.mul(p, F.sub(shared, F.sum(F.mul(shared, p), axis, True)))


op("cross_entropy_grad", "upstream a targets", cross_entropy_grad_kernel, _cross_entropy_grad_type,
   {"upstream": _cross_entropy_grad_g, "a": _cross_entropy_grad_a}, unpromoted=frozenset({"targets"}),
   formula=r"\frac{g}{n} (\operatorname{softmax}(a) - e_t)", flops=per_operand_element(15), **_GRADIENT)  # fmt: skip
