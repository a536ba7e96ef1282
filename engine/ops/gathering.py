"""Selecting and scattering by indices that are tensors themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import BoundsError
from engine.ops.promotion import DEFAULT_FLOAT, DType, result_dtype
from engine.ops.registry import Array, op
from engine.ops.shapes import shape_op
from engine.ops.type_rules import need_integer, normal_axis, shape_error, show, unify
from engine.tensor_type import Shape, TensorType

_add_at: Any = np.add.at
_sum: Any = np.add.reduce
_SHAPE: dict[str, Any] = {"category": "shape", "symbol": "shape"}
_GRADIENT: dict[str, Any] = {"category": "gradient", "symbol": "nabla"}


def take_kernel(a: Array, indices: Array, axis: int = 0) -> Array:
    """``a`` at ``indices`` along ``axis``; the indices' shape takes the axis' place."""
    try:
        return a.take(indices, axis)
    except IndexError as error:
        raise out_of_bounds("take", indices, a.shape, axis) from error


def out_of_bounds(name: str, indices: Array, shape: tuple[int, ...], axis: int) -> BoundsError:
    """The error for an index in ``indices`` that ``shape`` does not have along ``axis``."""
    size = shape[axis]
    return BoundsError(
        f"{name}: indices go from {indices.min()} to {indices.max()}, but axis {axis} of shape {shape} "
        f"has size {size}; " + (f"use {-size} to {size - 1}" if size else "there is nothing to take")
    )


def _take_type(a: TensorType, indices: TensorType, axis: int = 0) -> TensorType:
    need_integer("take", "indices", indices.dtype)
    if a.shape is None:
        return TensorType(a.dtype, None)
    place = normal_axis("take", axis, len(a.shape), a)
    return TensorType(
        a.dtype, None if indices.shape is None else (*a.shape[:place], *indices.shape, *a.shape[place + 1 :])
    )


op("take", "a indices", take_kernel, _take_type,
   {"a": lambda F, g, indices, a_shape, axis: F.put(g, indices, a_shape, axis)},
   traffic="rows", unpromoted=frozenset({"indices"}), formula=r"a_{i}", **_SHAPE)  # fmt: skip


def _add_along(result: Array, indices: Array, values: Array, axis: int, name: str) -> None:
    axis %= result.ndim
    place = (slice(None),) * axis + (indices,)
    try:
        if indices.ndim == 1:
            # Indices that are all different need no add.at, which takes ten times as long.
            seen = np.zeros(result.shape[axis], np.bool_)
            seen[indices] = True
            if np.count_nonzero(seen) == len(indices):
                result[place] += values
                return
        _add_at(result, place, values)
    except IndexError as error:
        raise out_of_bounds(name, indices, result.shape, axis) from error


def put_kernel(a: Array, indices: Array, shape: tuple[int, ...], axis: int = 0) -> Array:
    """Zeros of ``shape`` with ``a`` added at ``indices`` along ``axis``: the transpose of ``take``."""
    result = np.zeros(shape, a.dtype)
    _add_along(result, indices, a, axis, "put")
    return result


def _put_type(a: TensorType, indices: TensorType, shape: Shape | None, axis: int = 0) -> TensorType:
    part = _take_type(TensorType(a.dtype, shape), indices, axis)
    unify("put", "the values and the part of the result that they go to", a.shape, part.shape, a, indices)
    return TensorType(a.dtype, shape)


shape_op(
    "put",
    put_kernel,
    _put_type,
    {"a": lambda F, g, indices, axis: F.take(g, indices, axis)},
    operands="a indices",
    unpromoted=frozenset({"indices"}),
    formula=r"\sum_{i} g_i e_i",
    **_GRADIENT,
)


def gather_kernel(a: Array, indices: Array, axis: int = 0) -> Array:
    """``a[i][j] -> a[indices[i][j]][j]`` for axis 0: one index for each element of the result."""
    if axis < 0:
        axis += a.ndim
    try:
        return a[_along(indices, axis)]
    except IndexError as error:
        raise out_of_bounds("gather", indices, a.shape, axis) from error


def _along(indices: Array, axis: int) -> tuple[Array, ...]:
    grid = list(np.ogrid[tuple(slice(n) for n in indices.shape)])
    grid[axis] = indices
    return tuple(grid)


def _gather_type(a: TensorType, indices: TensorType, axis: int = 0) -> TensorType:
    need_integer("gather", "indices", indices.dtype)
    if a.shape is None or indices.shape is None:
        return TensorType(a.dtype, indices.shape)
    place = normal_axis("gather", axis, len(a.shape), a)
    if len(indices.shape) != len(a.shape) or any(
        i is not None and d is not None and i > d
        for n, (i, d) in enumerate(zip(indices.shape, a.shape, strict=True))
        if n != place
    ):
        raise shape_error(
            "gather",
            f"indices of shape {show(indices.shape)} must have as many dimensions as {show(a.shape)} and be no "
            f"larger except along axis {place}",
            a,
            indices,
        )
    return TensorType(a.dtype, indices.shape)


op("gather", "a indices", gather_kernel, _gather_type,
   {"a": lambda F, g, indices, a_shape, axis: F.ungather(g, indices, a_shape, axis)},
   traffic="rows", unpromoted=frozenset({"indices"}), formula=r"a_{i_{jk}k}", **_SHAPE)  # fmt: skip


def ungather_kernel(a: Array, indices: Array, shape: tuple[int, ...], axis: int = 0) -> Array:
    """Zeros of ``shape`` with each element of ``a`` added where ``gather`` took it from."""
    result = np.zeros(shape, a.dtype)
    try:
        _add_at(result, _along(indices, axis % len(shape)), a)
    except IndexError as error:
        raise out_of_bounds("ungather", indices, shape, axis) from error
    return result


def _ungather_type(a: TensorType, indices: TensorType, shape: Shape | None, axis: int = 0) -> TensorType:
    _gather_type(TensorType(a.dtype, shape), indices, axis)
    return TensorType(a.dtype, shape)


shape_op(
    "ungather",
    ungather_kernel,
    _ungather_type,
    {"a": lambda F, g, indices, axis: F.gather(g, indices, axis)},
    operands="a indices",
    unpromoted=frozenset({"indices"}),
    formula=r"\sum_{jk} g_{jk} e_{i_{jk}k}",
    **_GRADIENT,
)


def scatter_add_kernel(a: Array, indices: Array, updates: Array, axis: int = 0) -> Array:
    """A copy of ``a`` with ``updates`` added at ``indices`` along ``axis`` (equal indices add up)."""
    result = np.array(a)
    _add_along(result, indices, updates, axis, "scatter_add")
    return result


def _scatter_type(a: TensorType, indices: TensorType, updates: TensorType, axis: int = 0) -> TensorType:
    part = _take_type(a, indices, axis)
    unify("scatter_add", "updates and the part they are added to", updates.shape, part.shape, a, indices, updates)
    return TensorType(result_dtype(a, updates), a.shape)


op("scatter_add", "a indices updates", scatter_add_kernel, _scatter_type,
   {"a": lambda F, g: g, "updates": lambda F, g, indices, axis: F.take(g, indices, axis)},
   promotion="common", unpromoted=frozenset({"indices"}), formula=r"a + \sum_i u_i e_i", **_SHAPE)  # fmt: skip


def one_hot_kernel(indices: Array, depth: int, dtype: DType = DEFAULT_FLOAT) -> Array:
    """A last dimension of size ``depth`` that is 1 at the index, else 0; zeros for an index outside."""
    return (indices[..., None] == np.arange(depth)).astype(dtype)  # type: ignore[no-any-return]


def _one_hot_type(indices: TensorType, depth: int, dtype: DType = DEFAULT_FLOAT) -> TensorType:
    need_integer("one_hot", "indices", indices.dtype)
    if depth < 0:
        raise shape_error("one_hot", f"depth {depth} is negative; give the number of classes", indices)
    return TensorType(np.dtype(dtype), None if indices.shape is None else (*indices.shape, depth))


op("one_hot", "indices", one_hot_kernel, _one_hot_type, None, formula=r"e_i", category="shape", symbol="1ₕ")
