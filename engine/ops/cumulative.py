"""Running sums and products along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.promotion import BOOL
from engine.ops.reductions import widened
from engine.ops.registry import Array, op
from engine.ops.type_rules import normal_axis, per_element
from engine.tensor_type import TensorType


def cumsum_kernel(a: Array, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Array:
    """The sum of all elements up to each one (without itself if ``exclusive``), from the end if ``reverse``."""
    result = np.add.accumulate(np.flip(a, axis) if reverse else a, axis, widened(a.dtype))
    if exclusive:
        shifted = np.zeros_like(result)
        ahead = (slice(None),) * (axis % a.ndim)
        shifted[(*ahead, slice(1, None))] = result[(*ahead, slice(None, -1))]
        result = shifted
    return np.flip(result, axis) if reverse else result


def _cumsum_type(a: TensorType, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> TensorType:
    if a.shape is not None:
        normal_axis("cumsum", axis, len(a.shape), a)
    return TensorType(widened(a.dtype), a.shape)


_CUMULATIVE: dict[str, Any] = {"category": "reduction", "symbol": "sum", "flops": per_element()}

op("cumsum", "a", cumsum_kernel, _cumsum_type,
   {"a": lambda F, g, axis, exclusive, reverse: F.cumsum(g, axis, exclusive, not reverse)},
   formula=r"\sum_{j \le i} a_j", **_CUMULATIVE)  # fmt: skip


def cumprod_kernel(a: Array, axis: int = 0) -> Array:
    """The product of all elements up to each one."""
    return np.multiply.accumulate(a, axis, widened(a.dtype))


def _cumprod_type(a: TensorType, axis: int = 0) -> TensorType:
    if a.shape is not None:
        normal_axis("cumprod", axis, len(a.shape), a)
    return TensorType(widened(a.dtype), a.shape)


def upto_mask_kernel(a: Array, axis: int = 0) -> Array:
    """True where element ``k`` goes into running result ``i``: axis 0 is ``i``, then come all axes of ``a`` (``k``)."""
    size = a.shape[axis]
    shape = [size, *(1,) * a.ndim]
    shape[1 + axis % a.ndim] = size
    return np.tri(size, dtype=np.bool_).reshape(shape)


def _upto_mask_type(a: TensorType, axis: int = 0) -> TensorType:
    if a.shape is None:
        return TensorType(BOOL, None)
    place = normal_axis("upto_mask", axis, len(a.shape), a)
    size = a.shape[place]
    return TensorType(BOOL, (size, *(size if i == place else 1 for i in range(len(a.shape)))))


op("upto_mask", "a", upto_mask_kernel, _upto_mask_type, None, formula=r"[k \le i]", category="gradient", symbol="nabla")


def _cumprod_vjp(F: Any, g: Any, a: Any, a_shape: Any, axis: int) -> Any:
    """Running products are the row products of a triangular table: right where elements are zero, in every order.

    The table has as many entries as ``a`` times its size along ``axis``.
    """
    rank = len(a_shape)
    place = axis % rank
    upto = F.upto_mask(a, axis)
    others = F.prod_others(F.where(upto, a, 1), place + 1)
    rows = F.transpose(g, (place, *(i for i in range(rank) if i != place)))
    return F.sum(F.where(upto, F.mul(F.expand_dims(rows, place + 1), others), 0), 0, False)


op("cumprod", "a", cumprod_kernel, _cumprod_type, {"a": _cumprod_vjp}, formula=r"\prod_{j \le i} a_j", **_CUMULATIVE)
