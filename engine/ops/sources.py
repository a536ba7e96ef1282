"""Tensors out of nothing or out of a shape: filled, counting, identity matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.promotion import DEFAULT_FLOAT, DEFAULT_INTEGER, DType
from engine.ops.registry import Array, op
from engine.ops.type_rules import show
from engine.tensor_type import Shape, TensorType

_SOURCE: dict[str, Any] = {"category": "input", "symbol": "pin"}


def full_kernel(shape: tuple[int, ...], value: float = 0, dtype: DType = DEFAULT_FLOAT) -> Array:
    return np.full(shape, value, dtype)


def _full_type(shape: Shape, value: float = 0, dtype: DType = DEFAULT_FLOAT) -> TensorType:
    if any(d is None or d < 0 for d in shape):
        raise ShapeError(f"full: {show(shape)} is no shape to fill; all sizes must be known and 0 or more", op="full")
    return TensorType(np.dtype(dtype), shape)


def arange_kernel(start: float, stop: float, step: float = 1, dtype: DType = DEFAULT_INTEGER) -> Array:
    """Numbers from ``start`` by ``step``, before ``stop``."""
    return np.arange(start, stop, step).astype(dtype)


def _arange_type(start: float, stop: float, step: float = 1, dtype: DType = DEFAULT_INTEGER) -> TensorType:
    if step == 0:
        raise ShapeError("arange: a step of 0 never arrives; use another", op="arange")
    return TensorType(np.dtype(dtype), (max(0, math.ceil((stop - start) / step)),))


def linspace_kernel(start: float, stop: float, count: int, dtype: DType = DEFAULT_FLOAT) -> Array:
    """``count`` evenly spaced numbers, both ends included."""
    return np.linspace(start, stop, count).astype(dtype)


def _linspace_type(start: float, stop: float, count: int, dtype: DType = DEFAULT_FLOAT) -> TensorType:
    if count < 0:
        raise ShapeError(f"linspace: count = {count}; use 0 or more", op="linspace")
    return TensorType(np.dtype(dtype), (count,))


def eye_kernel(rows: int, columns: int | None = None, dtype: DType = DEFAULT_FLOAT) -> Array:
    """Ones on the diagonal, zeros elsewhere."""
    return np.eye(rows, columns, dtype=dtype)


def _eye_type(rows: int, columns: int | None = None, dtype: DType = DEFAULT_FLOAT) -> TensorType:
    if rows < 0 or (columns is not None and columns < 0):
        raise ShapeError(f"eye: {rows} rows and {columns} columns; use 0 or more", op="eye")
    return TensorType(np.dtype(dtype), (rows, rows if columns is None else columns))


def shape_of_kernel(a: Array, dtype: DType = DEFAULT_INTEGER) -> Array:
    """The shape of ``a`` as a vector."""
    return np.array(a.shape, dtype)


def _shape_of_type(a: TensorType, dtype: DType = DEFAULT_INTEGER) -> TensorType:
    return TensorType(np.dtype(dtype), (None if a.shape is None else len(a.shape),))


op("full", "", full_kernel, _full_type, None, formula="c", **_SOURCE)
op("arange", "", arange_kernel, _arange_type, None, formula=r"s, s + d, \ldots", **_SOURCE)
op("linspace", "", linspace_kernel, _linspace_type, None, formula=r"s, \ldots, e", **_SOURCE)
op("eye", "", eye_kernel, _eye_type, None, formula="I", **_SOURCE)
op(
    "shape_of",
    "a",
    shape_of_kernel,
    _shape_of_type,
    None,
    formula=r"\operatorname{shape}(a)",
    traffic="result",
    category="shape",
    symbol="shape",
)
