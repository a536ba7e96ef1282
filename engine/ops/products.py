"""The product over axes. Its gradient stays right where elements are zero, in every order."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.promotion import BOOL
from engine.ops.reductions import reduction_rule, widened
from engine.ops.registry import Array, op
from engine.ops.type_rules import Axis, normal_axes, per_element, per_operand_element
from engine.tensor_type import TensorType

_prod: Any = np.multiply.reduce


def prod_kernel(a: Array, axis: Axis = None, keepdims: bool = False, out: Array | None = None) -> Array:
    return _prod(a, axis, None, out, keepdims)  # type: ignore[no-any-return]


def _prod_vjp(F: Any, g: Any, a: Any, a_shape: Any, axis: Axis, keepdims: bool) -> Any:
    """Each element's gradient is the product of the others, which stays right where elements are zero."""
    return F.mul(F.spread(g, a_shape, axis, keepdims), F.prod_others(a, axis))


op("prod", "a", prod_kernel, reduction_rule("prod", kind=widened), {"a": _prod_vjp}, accepts_out=True,
   formula=r"\prod_i a_i", flops=per_operand_element(), category="reduction", symbol="sum")  # fmt: skip


def _axes(rank: int, axis: Axis) -> tuple[int, ...]:
    """``axis`` as sorted axes counted from the front."""
    if axis is None:
        return tuple(range(rank))
    return (axis % rank,) if isinstance(axis, int) else tuple(sorted(i % rank for i in axis))


def prod_others_kernel(a: Array, axis: Axis = None) -> Array:
    """For each element the product of all *other* elements along ``axis``; same shape as ``a``."""
    rank = a.ndim
    axes = _axes(rank, axis)
    kept = tuple(i for i in range(rank) if i not in axes)
    flat = a.transpose(kept + axes).reshape([a.shape[i] for i in kept] + [-1])
    before, after = np.ones_like(flat), np.ones_like(flat)
    np.cumprod(flat[..., :-1], axis=-1, out=before[..., 1:])
    after[..., :-1] = np.cumprod(flat[..., :0:-1], axis=-1)[..., ::-1]
    result = (before * after).reshape([a.shape[i] for i in kept + axes])
    return result.transpose(np.argsort(kept + axes))


def pair_mask_kernel(a: Array, axis: Axis = None) -> Array:
    """True where an element meets itself, when all pairs of elements along ``axis`` are laid out.

    The reduced axes come first (one of each pair), then all axes of ``a`` (the other; size 1 for axes that are kept).
    """
    axes = _axes(a.ndim, axis)
    mask = np.ones((1,) * (len(axes) + a.ndim), np.bool_)
    for place, i in enumerate(axes):
        shape = [1] * mask.ndim
        shape[place] = shape[len(axes) + i] = a.shape[i]
        mask = mask & np.eye(a.shape[i], dtype=np.bool_).reshape(shape)
    return mask


def _pair_mask_type(a: TensorType, axis: Axis = None) -> TensorType:
    if a.shape is None:
        return TensorType(BOOL, None)
    axes = normal_axes("pair_mask", axis, a)
    return TensorType(BOOL, (*(a.shape[i] for i in axes), *(d if i in axes else 1 for i, d in enumerate(a.shape))))


op("pair_mask", "a", pair_mask_kernel, _pair_mask_type, None, formula=r"[i = k]", category="gradient", symbol="nabla")


def _prod_others_vjp(F: Any, g: Any, a: Any, a_shape: Any, axis: Axis) -> Any:
    """``prod_others`` is the product of a table of all pairs in which each element that meets itself became 1.

    Differentiating that table is right where elements are zero, and can be differentiated again.
    """
    rank = len(a_shape)
    axes = _axes(rank, axis)
    first = len(axes)
    same = F.pair_mask(a, axis)
    others = F.prod_others(F.where(same, 1, a), tuple(first + i for i in axes))
    sent = F.transpose(g, axes + tuple(i for i in range(rank) if i not in axes))
    for i in axes:
        sent = F.expand_dims(sent, first + i)
    return F.sum(F.where(same, 0, F.mul(sent, others)), tuple(range(first)), False)


op("prod_others", "a", prod_others_kernel, lambda a, axis=None: TensorType(a.dtype, a.shape), {"a": _prod_others_vjp},
   formula=r"\prod_{k \ne i} a_k", flops=per_element(3), category="gradient", symbol="nabla")  # fmt: skip
