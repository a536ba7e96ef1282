"""Softmax and its logarithm, along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.registry import Array, op
from engine.ops.type_rules import normal_axis, per_element, refuse_below
from engine.tensor_type import TensorType

_exp: Any = np.exp
_max: Any = np.maximum.reduce
_sum: Any = np.add.reduce


def softmax_kernel(a: Array, axis: int = -1, out: Array | None = None) -> Array:
    """e^a divided by its sum along ``axis``."""
    out = np.subtract(a, _max(a, axis, None, None, True), out)
    _exp(out, out)
    return np.true_divide(out, _sum(out, axis, None, None, True), out)  # type: ignore[no-any-return]


def log_softmax_kernel(a: Array, axis: int = -1, out: Array | None = None) -> Array:
    """``a`` minus the logarithm of the sum of e^a along ``axis``."""
    out = np.subtract(a, _max(a, axis, None, None, True), out)
    return np.subtract(out, np.log(_sum(_exp(out), axis, None, None, True)), out)  # type: ignore[no-any-return]


def axis_rule(name: str) -> Any:
    """The rule of an op that keeps the shape, works along one ``axis`` and needs floats."""

    def rule(a: TensorType, axis: int = -1) -> TensorType:
        refuse_below(name, a.dtype, 2)
        if a.shape is not None:
            normal_axis(name, axis, len(a.shape), a)
        return a

    return rule


def _softmax_vjp(F: Any, g: Any, out: Any, axis: int) -> Any:
    return F.mul(out, F.sub(g, F.sum(F.mul(g, out), axis, True)))


def _log_softmax_vjp(F: Any, g: Any, out: Any, axis: int) -> Any:
    return F.sub(g, F.mul(F.exp(out), F.sum(g, axis, True)))


_ALONG: dict[str, Any] = {"accepts_out": True, "category": "activation", "symbol": "ess", "flops": per_element(14)}
op(
    "softmax",
    "a",
    softmax_kernel,
    axis_rule("softmax"),
    {"a": _softmax_vjp},
    formula=r"\frac{e^{a_i}}{\sum_j e^{a_j}}",
    **_ALONG,
)
op("log_softmax", "a", log_softmax_kernel, axis_rule("log_softmax"), {"a": _log_softmax_vjp},
   formula=r"a_i - \ln \sum_j e^{a_j}", **_ALONG)  # fmt: skip
