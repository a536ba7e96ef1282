"""Elementary functions: logarithms, powers, angles, rounding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops.arithmetic import binary, unary, zero_slope

_LN2, _LN10 = math.log(2), math.log(10)


def _over_root(F: Any, g: Any, a: Any) -> Any:
    """``g / sqrt(1 - a^2)``: the slope of asin."""
    return F.mul(g, F.rsqrt(F.sub(1, F.square(a))))


def _angle_sine(F: Any, g: Any, a: Any, b: Any) -> Any:
    return F.div(F.mul(g, b), F.add(F.square(a), F.square(b)))


def _angle_cosine(F: Any, g: Any, a: Any, b: Any) -> Any:
    return F.neg(F.div(F.mul(g, a), F.add(F.square(a), F.square(b))))


unary("exp2", np.exp2, lambda F, g, out: F.mul(g, F.mul(out, _LN2)), "2ˣ", "2^a", cost=10)
unary("log2", np.log2, lambda F, g, a: F.div(F.mul(g, 1 / _LN2), a), "lb", r"\log_2 a", cost=10)
unary("log10", np.log10, lambda F, g, a: F.div(F.mul(g, 1 / _LN10), a), "lg", r"\log_{10} a", cost=10)
unary("asin", np.arcsin, _over_root, "asn", r"\arcsin a", cost=10)
unary("acos", np.arccos, lambda F, g, a: _over_root(F, F.neg(g), a), "acs", r"\arccos a", cost=10)
unary("atan", np.arctan, lambda F, g, a: F.div(g, F.add(F.square(a), 1)), "atn", r"\arctan a", cost=10)
unary("sinh", np.sinh, lambda F, g, a: F.mul(g, F.cosh(a)), "sh", r"\sinh a", cost=10)
unary("cosh", np.cosh, lambda F, g, a: F.mul(g, F.sinh(a)), "ch", r"\cosh a", cost=10)
unary("ceil", np.ceil, zero_slope, "⌈x⌉", r"\lceil a \rceil", "common", lowest=1)
unary("trunc", np.trunc, zero_slope, "⌊x⌉", r"\operatorname{trunc} a", "common", lowest=1)


def round_kernel(a: Any, out: Any = None) -> Any:
    """The nearest whole number; the even one of two equally near."""
    return (np.rint if a.dtype.kind in "fc" else np.positive)(a, out)


unary("round", round_kernel, zero_slope, "≈", r"\operatorname{round} a", "common", lowest=1)

binary(
    "atan2", np.arctan2, {"a": _angle_sine, "b": _angle_cosine}, "∠", r"\operatorname{atan2}(a, b)", "float", cost=15
)
binary(
    "logaddexp",
    np.logaddexp,
    {
        "a": lambda F, g, a, out: F.mul(g, F.exp(F.sub(a, out))),
        "b": lambda F, g, b, out: F.mul(g, F.exp(F.sub(b, out))),
    },
    "ln+",
    r"\ln(e^a + e^b)",
    "float",
    cost=25,
)


def squared_difference_kernel(a: Any, b: Any, out: Any = None) -> Any:
    """``(a - b)`` squared."""
    distance = np.subtract(a, b, out)
    return np.square(distance, distance if distance.__class__ is np.ndarray else None)


binary(
    "squared_difference", squared_difference_kernel,
    {
        "a": lambda F, g, a, b: F.mul(g, F.mul(F.sub(a, b), 2)),
        "b": lambda F, g, a, b: F.mul(g, F.mul(F.sub(b, a), 2)),
    },
    "Δ²", "(a - b)^2", lowest=1, cost=2,
)  # fmt: skip
