"""Rows of an embedding table, elements at points, elements where a mask holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import BoundsError
from engine.ops.gathering import out_of_bounds
from engine.ops.promotion import DEFAULT_INTEGER
from engine.ops.registry import Array, op
from engine.ops.shapes import shape_op
from engine.ops.type_rules import need_bool, need_integer, need_rank, shape_error, show
from engine.tensor_type import Shape, TensorType

_SHAPE: dict[str, Any] = {"category": "shape", "symbol": "shape"}
_GRADIENT: dict[str, Any] = {"category": "gradient", "symbol": "nabla"}


def embedding_kernel(a: Array, indices: Array) -> Array:
    """The rows of the table ``a`` at ``indices``, which count from 0 (no negative ones)."""
    if indices.size and not (indices.min() >= 0 and indices.max() < a.shape[0]):
        raise BoundsError(
            f"embedding: indices go from {indices.min()} to {indices.max()}, but the table of shape {a.shape} has "
            f"{a.shape[0]} rows; use 0 to {a.shape[0] - 1}"
        )
    return a.take(indices, 0)


def _embedding_type(a: TensorType, indices: TensorType) -> TensorType:
    need_rank("embedding", "the table", a, 2)
    need_integer("embedding", "indices", indices.dtype)
    if indices.shape is None:
        return TensorType(a.dtype, None)
    return TensorType(a.dtype, (*indices.shape, None if a.shape is None else a.shape[1]))


op("embedding", "a indices", embedding_kernel, _embedding_type,
   {"a": lambda F, g, indices, a_shape: F.put(g, indices, a_shape, 0)},
   traffic="rows", unpromoted=frozenset({"indices"}), formula="A_i", **_SHAPE)  # fmt: skip


# -- points: the last axis of the indices is one index into each of the first axes ------------------------------------
def _points(indices: Array) -> tuple[Array, ...]:
    return tuple(indices[..., i] for i in range(indices.shape[-1]))


def gather_nd_kernel(a: Array, indices: Array) -> Array:
    """``a`` at each point of ``indices``."""
    try:
        return np.asarray(a[_points(indices)])
    except IndexError as error:
        raise _point_error("gather_nd", indices, a.shape) from error


def _point_error(name: str, indices: Array, shape: tuple[int, ...]) -> BoundsError:
    for axis, part in enumerate(_points(indices)):
        if part.size and not (part.min() >= -shape[axis] and part.max() < shape[axis]):
            return out_of_bounds(name, part, shape, axis)
    return BoundsError(f"{name}: indices of shape {indices.shape} do not fit {shape}")


def _gather_nd_type(a: TensorType, indices: TensorType) -> TensorType:
    need_integer("gather_nd", "indices", indices.dtype)
    need_rank("gather_nd", "indices", indices, 1, 64)
    if a.shape is None or indices.shape is None or indices.shape[-1] is None:
        return TensorType(a.dtype, None)
    depth = indices.shape[-1]
    if depth > len(a.shape):
        raise shape_error("gather_nd", f"points of {depth} indices are too long for shape {show(a.shape)}", a, indices)
    return TensorType(a.dtype, (*indices.shape[:-1], *a.shape[depth:]))


def scatter_nd_kernel(a: Array, indices: Array, shape: tuple[int, ...]) -> Array:
    """Zeros of ``shape`` with ``a`` added at each point of ``indices``: the transpose of ``gather_nd``."""
    result = np.zeros(shape, a.dtype)
    try:
        np.add.at(result, _points(indices), a)
    except IndexError as error:
        raise _point_error("scatter_nd", indices, shape) from error
    return result


def _scatter_nd_type(a: TensorType, indices: TensorType, shape: Shape | None) -> TensorType:
    _gather_nd_type(TensorType(a.dtype, shape), indices)
    return TensorType(a.dtype, shape)


op("gather_nd", "a indices", gather_nd_kernel, _gather_nd_type,
   {"a": lambda F, g, indices, a_shape: F.scatter_nd(g, indices, a_shape)},
   traffic="rows", unpromoted=frozenset({"indices"}), formula="a_{i_1 i_2}", **_SHAPE)  # fmt: skip
shape_op("scatter_nd", scatter_nd_kernel, _scatter_nd_type, {"a": lambda F, g, indices: F.gather_nd(g, indices)},
         operands="a indices", unpromoted=frozenset({"indices"}), formula=r"\sum_i g_i e_i", **_SHAPE)  # fmt: skip


# -- masks: the size of the result is only known when it runs ---------------------------------------------------------
def masked_select_kernel(a: Array, mask: Array) -> Array:
    """The elements of ``a`` where ``mask`` (of the same shape) holds, as a vector."""
    return a[mask]


def masked_put_kernel(a: Array, mask: Array) -> Array:
    """Zeros in the shape of ``mask`` with the vector ``a`` where it holds: the transpose of ``masked_select``."""
    result = np.zeros(mask.shape, a.dtype)
    result[mask] = a
    return result


def _masked_select_type(a: TensorType, mask: TensorType) -> TensorType:
    need_bool("masked_select", "the mask", mask.dtype)
    if a.is_known and mask.is_known and a.shape != mask.shape:
        raise shape_error(
            "masked_select",
            f"the mask of shape {show(mask.shape)} must have the shape {show(a.shape)} of what it selects "
            "from; broadcast it first",
            a,
            mask,
        )
    return TensorType(a.dtype, (None,))


def _masked_put_type(a: TensorType, mask: TensorType) -> TensorType:
    need_bool("masked_put", "the mask", mask.dtype)
    return TensorType(a.dtype, mask.shape)


op(
    "masked_select",
    "a mask",
    masked_select_kernel,
    _masked_select_type,
    {"a": lambda F, g, mask: F.masked_put(g, mask)},
    unpromoted=frozenset({"mask"}),
    formula="a_{m}",
    **_SHAPE,
)
op(
    "masked_put",
    "a mask",
    masked_put_kernel,
    _masked_put_type,
    {"a": lambda F, g, mask: F.masked_select(g, mask)},
    unpromoted=frozenset({"mask"}),
    formula="e_m a",
    **_GRADIENT,
)


def nonzero_kernel(a: Array) -> Array:
    """The point of each element that is not 0: one row each."""
    return np.argwhere(a).astype(np.int64)


op("nonzero", "a", nonzero_kernel,
   lambda a: TensorType(DEFAULT_INTEGER, (None, None if a.shape is None else len(a.shape))), None,
   formula=r"\{i : a_i \ne 0\}", **_SHAPE)  # fmt: skip
