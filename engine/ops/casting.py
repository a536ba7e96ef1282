"""Ops that give a tensor of the same shape: itself, a copy, another dtype, zeros or ones."""

from __future__ import annotations

import numpy as np

from engine.errors import DtypeError
from engine.ops.promotion import DType
from engine.ops.registry import Array, op
from engine.tensor_type import TensorType


def _same(a: TensorType) -> TensorType:
    return a


def identity_kernel(a: Array) -> Array:
    """``a`` itself."""
    return a


op(
    "identity",
    "a",
    identity_kernel,
    _same,
    {"a": lambda F, g: g},
    view=True,
    category="shape",
    symbol="id",
    formula="a",
)
op("stop_gradient", "a", identity_kernel, _same, None, view=True, category="control", symbol="⊣",
   formula=r"\operatorname{stop}(a)")  # fmt: skip
op("copy", "a", lambda a: np.array(a), _same, {"a": lambda F, g: g}, category="shape", symbol="⧉", formula="a")


def cast_kernel(a: Array, dtype: DType) -> Array:
    """``a`` in another dtype; floats are cut off towards zero for integers."""
    return a.astype(dtype)


def _cast_type(a: TensorType, dtype: DType) -> TensorType:
    wanted = np.dtype(dtype)
    if wanted.kind not in "buifc":
        raise DtypeError(f"cast: {wanted} is no dtype for tensors; use bool, an integer or a float dtype")
    return TensorType(wanted, a.shape)


op("cast", "a", cast_kernel, _cast_type, {"a": lambda F, g, a_dtype: F.cast(g, a_dtype)}, category="shape", symbol="ty",
   formula=r"\operatorname{cast}(a)")  # fmt: skip


def zeros_like_kernel(a: Array) -> Array:
    return np.zeros(a.shape, a.dtype)


def ones_like_kernel(a: Array) -> Array:
    return np.ones(a.shape, a.dtype)


op("zeros_like", "a", zeros_like_kernel, _same, None, category="input", symbol="0", traffic="result",
   formula=r"\mathbf{0}")  # fmt: skip
op("ones_like", "a", ones_like_kernel, _same, None, category="input", symbol="1", traffic="result",
   formula=r"\mathbf{1}")  # fmt: skip
