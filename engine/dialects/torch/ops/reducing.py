"""Norms other than the root of the sum of squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.ops.declaring import declare
from engine.ops.registry import Array
from engine.ops.type_rules import Axis, reduced
from engine.tensor_type import TensorType


def vector_norm_kernel(a: Array, axis: Axis = None, keepdims: bool = False, p: float = 2.0) -> Array:
    """The ``p``-norm: the largest element for infinity, how many are not zero for 0."""
    size = np.abs(a)
    if np.isinf(p):
        return np.asarray((size.max if p > 0 else size.min)(axis=axis, keepdims=keepdims))
    if p == 0:
        return np.asarray((a != 0).sum(axis=axis, keepdims=keepdims), a.dtype)
    total = (size if p == 1 else size**p).sum(axis=axis, keepdims=keepdims)
    return np.asarray(total if p == 1 else total ** (1.0 / p), a.dtype)


def _type(a: TensorType, axis: Axis = None, keepdims: bool = False, p: float = 2.0) -> TensorType:
    return TensorType(a.dtype, reduced("vector_norm", a, axis, keepdims))


def _vjp(F: Any, g: Any, a: Any, out: Any, a_shape: Any, axis: Axis, keepdims: bool, p: float) -> Any:
    if p == 0:
        return F.zeros_like(a)
    spread = F.spread(g, a_shape, axis, keepdims)
    if p == 1:
        return F.mul(spread, F.sign(a))
    largest = F.spread(out, a_shape, axis, keepdims)
    if np.isinf(p):
        hits = F.cast(F.equal(F.abs(a), largest), g.dtype) if hasattr(g, "dtype") else F.equal(F.abs(a), largest)
        count = F.spread(F.sum(hits, axis, keepdims), a_shape, axis, keepdims)
        return F.mul(F.mul(spread, F.sign(a)), F.div(hits, count))
    safe = F.where(F.equal(largest, 0), 1, largest)
    return F.mul(F.mul(spread, F.sign(a)), F.pow(F.div(F.abs(a), safe), p - 1))


declare("vector_norm", "a", vector_norm_kernel, _type, {"a": _vjp}, category="reduction", symbol="sum",
        formula=r"\\|a\\|_p")  # fmt: skip
