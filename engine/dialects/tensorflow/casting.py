"""Changing the dtype."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.handles import Tensor


def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """``x`` with another dtype."""
    wanted = dtypes.as_dtype(dtype).base_dtype
    tensor = convert(x, name="x")
    if tensor.dtype.base_dtype == wanted:
        return tensor
    return apply("cast", "Cast", name, [("x", tensor)], {"dtype": wanted._numpy})


def to_float(x: Any, name: str = "ToFloat") -> Tensor:
    return cast(x, "float32", name)


def to_double(x: Any, name: str = "ToDouble") -> Tensor:
    return cast(x, "float64", name)


def to_int64(x: Any, name: str = "ToInt64") -> Tensor:
    return cast(x, "int64", name)


def to_int32(x: Any, name: str = "ToInt32") -> Tensor:
    return cast(x, "int32", name)
