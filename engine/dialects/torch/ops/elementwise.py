"""Elementwise functions that the core has no use for. Slopes are written with ops of the table."""

from __future__ import annotations

import math
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from engine.dialects.torch.ops.declaring import declare
from engine.ops.arithmetic import zero_slope
from engine.ops.registry import Array
from engine.ops.special import erf
from engine.ops.type_rules import elementwise


def _unary(name: str, kernel: Any, slope: Any, formula: str, promotion: str = "float", **extra: Any) -> None:
    """``slope(F, g, a)`` is the gradient."""
    declare(
        name, "a", kernel, elementwise(name, promotion), {"a": slope}, elementwise=True, promotion=promotion,
        formula=formula, **({"symbol": "ƒ"} | extra),
    )  # fmt: skip


def _binary(name: str, kernel: Any, slopes: Any, formula: str, promotion: str = "common", **extra: Any) -> None:
    declare(
        name, "a b", kernel, elementwise(name, promotion), slopes, elementwise=True, promotion=promotion,
        formula=formula, **({"symbol": "ƒ"} | extra),
    )  # fmt: skip


# -- functions of one number ------------------------------------------------------------------------------------------
_unary("asinh", np.arcsinh, lambda F, g, a: F.mul(g, F.rsqrt(F.add(F.square(a), 1))), r"\operatorname{arsinh} a")
_unary("acosh", np.arccosh, lambda F, g, a: F.mul(g, F.rsqrt(F.sub(F.square(a), 1))), r"\operatorname{arcosh} a")
_unary("atanh", np.arctanh, lambda F, g, a: F.div(g, F.sub(1, F.square(a))), r"\operatorname{artanh} a")
_unary("frac", lambda a: a - np.trunc(a), lambda F, g: g, r"a - \operatorname{trunc} a", "common")
_unary(
    "erfc", lambda a: (1 - erf(a.astype(np.float64))).astype(a.dtype),
    lambda F, g, a: F.mul(g, F.mul(F.exp(F.neg(F.square(a))), -2 / math.sqrt(math.pi))), r"1 - \operatorname{erf} a",
)  # fmt: skip
_unary("logit", lambda a: np.log(a / (1 - a)), lambda F, g, a: F.div(g, F.mul(a, F.sub(1, a))), r"\ln\frac{a}{1 - a}")


def erfinv_kernel(a: Array) -> Array:
    """The inverse of erf: an approximation by S. Winitzki, made exact by Newton's steps in float64."""
    y = a.astype(np.float64)
    with np.errstate(all="ignore"):
        tail = np.log1p(-y * y)
        middle = 2 / (math.pi * 0.147) + tail / 2
        x = np.copysign(np.sqrt(np.sqrt(middle * middle - tail / 0.147) - middle), y)
        for _ in range(3):
            x = x - (erf(x) - y) * np.exp(x * x) * (math.sqrt(math.pi) / 2)
    x = np.where(np.abs(y) == 1, np.copysign(np.inf, y), x)
    return x.astype(a.dtype)


_unary(
    "erfinv", erfinv_kernel, lambda F, g, a, out: F.mul(g, F.mul(F.exp(F.square(out)), math.sqrt(math.pi) / 2)),
    r"\operatorname{erf}^{-1} a",
)  # fmt: skip
# -- functions of two numbers -----------------------------------------------------------------------------------------
_binary(
    "hypot", np.hypot,
    {"a": lambda F, g, a, out: F.div(F.mul(g, a), out), "b": lambda F, g, b, out: F.div(F.mul(g, b), out)},
    r"\sqrt{a^2 + b^2}", "float",
)  # fmt: skip
_binary(
    "fmod", np.fmod,
    {"a": lambda F, g: g, "b": lambda F, g, a, b: F.neg(F.mul(g, F.trunc(F.div(a, b))))},
    r"a \bmod b",
)  # fmt: skip
_binary(
    "copysign", np.copysign,
    {"a": lambda F, g, a, out: F.mul(g, F.mul(F.sign(a), F.sign(out))), "b": zero_slope},
    r"|a| \operatorname{sign} b", "float",
)  # fmt: skip


def _whole(a: Any, b: Any) -> bool:
    """Whether integers are divided; they may not be by zero.

    :raises ZeroDivisionError: they are."""
    whole = np.result_type(a, b).kind in "iub"
    if whole and not np.all(b):
        raise ZeroDivisionError
    return whole


def remainder_kernel(a: Array, b: Array) -> Array:
    """The remainder with the divisor's sign; a remainder of zero keeps the sign of ``a``, as in C."""
    if _whole(a, b):
        return np.remainder(a, b)
    rest = np.fmod(a, b)
    return np.where((rest != 0) & ((rest < 0) != (np.asarray(b) < 0)), rest + b, rest)


def _no_derivative(name: str) -> Any:
    def refuse(F: Any, g: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return refuse


_REMAINDER: dict[str, Any] = {
    "a": lambda F, g: g,
    "b": lambda F, g, a, b: F.neg(F.mul(g, F.floor(F.div(a, b)))),
}
_binary("remainder", remainder_kernel, _REMAINDER, r"a \bmod b")
_binary("scalar_remainder", remainder_kernel, dict.fromkeys("ab", _no_derivative("remainder")), r"a \bmod b")
_binary(
    "floor_divide", lambda a, b: np.floor_divide(a, b) if _whole(a, b) else np.floor(np.true_divide(a, b)),
    dict.fromkeys("ab", _no_derivative("floor_divide")), r"\lfloor a / b \rfloor",
)  # fmt: skip


def divide_rounded_kernel(a: Array, b: Array, mode: str = "floor") -> Array:
    """The quotient, rounded down (``floor``) or towards zero (``trunc``); integers stay integers."""
    kind = np.result_type(a, b)
    if _whole(a, b) and mode == "floor":
        return np.floor_divide(a, b)
    rounded = (np.floor if mode == "floor" else np.trunc)(np.true_divide(a, b))
    return np.asarray(rounded, kind)


def xlogy_kernel(a: Array, b: Array) -> Array:
    """``a ln(b)``, and 0 where ``a`` is 0 (whatever ``b`` is)."""
    zero = np.asarray(a) == 0
    return np.where(zero, 0, a * np.log(np.where(zero, 1, b)))


_binary(
    "xlogy", xlogy_kernel,
    {
        "a": lambda F, g, a, b: F.mul(g, F.log(F.where(F.equal(a, 0), 1, b))),
        "b": lambda F, g, a, b: F.div(F.mul(g, a), b),
    },
    r"a \ln b", "float",
)  # fmt: skip

# -- functions of three ----------------------------------------------------------------------------------------------
declare(
    "lerp", "a b w", lambda a, b, w: a + w * (b - a), elementwise("lerp", "common"),
    {
        "a": lambda F, g, w: F.mul(g, F.sub(1, w)),
        "b": lambda F, g, w: F.mul(g, w),
        "w": lambda F, g, a, b: F.mul(g, F.sub(b, a)),
    },
    elementwise=True, promotion="common", symbol="+", formula="a + w(b - a)",
)  # fmt: skip


def _rule(name: str, operands: str, promotion: str = "float", **attributes: Any) -> Any:
    """The type rule of an elementwise op with attributes."""
    plain = elementwise(name, promotion)

    def rule(*types: Any, **_: Any) -> Any:
        return plain(*types)

    names = [Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in operands.split()]
    options = [Parameter(n, Parameter.POSITIONAL_OR_KEYWORD, default=v) for n, v in attributes.items()]
    rule.__signature__ = Signature([*names, *options])  # type: ignore[attr-defined]
    return rule


declare(
    "addcmul", "a b c", lambda a, b, c, value=1: a + value * b * c, _rule("addcmul", "a b c", "common", value=1),
    {
        "a": lambda F, g: g,
        "b": lambda F, g, c, value: F.mul(g, F.mul(c, value)),
        "c": lambda F, g, b, value: F.mul(g, F.mul(b, value)),
    },
    elementwise=True, promotion="common", symbol="+", formula="a + v b c",
)  # fmt: skip
declare(
    "addcdiv", "a b c", lambda a, b, c, value=1: a + value * b / c, _rule("addcdiv", "a b c", "float", value=1),
    {
        "a": lambda F, g: g,
        "b": lambda F, g, c, value: F.div(F.mul(g, value), c),
        "c": lambda F, g, b, c, value: F.neg(F.div(F.mul(g, F.mul(b, value)), F.square(c))),
    },
    elementwise=True, promotion="float", symbol="+", formula=r"a + v \frac{b}{c}",
)  # fmt: skip


# -- activations ------------------------------------------------------------------------------------------------------
def _within(F: Any, a: Any, low: float, high: float) -> Any:
    return F.logical_and(F.greater(a, low), F.less(a, high))


def _activation(name: str, kernel: Any, slope: Any, formula: str, **attributes: Any) -> None:
    declare(
        name, "a", kernel, _rule(name, "a", **attributes), {"a": slope}, elementwise=True, promotion="float",
        category="activation", symbol="hinge", formula=formula,
    )  # fmt: skip


_activation(
    "hardtanh", lambda a, low=-1.0, high=1.0: np.clip(a, low, high),
    lambda F, g, a, low, high: F.where(_within(F, a, low, high), g, 0.0), r"\min(\max(a, l), h)", low=-1.0, high=1.0,
)  # fmt: skip
_activation(
    "threshold", lambda a, limit, value: np.where(a > limit, a, a.dtype.type(value)),
    lambda F, g, a, limit: F.where(F.greater(a, limit), g, 0.0), r"a [a > l] + v [a \le l]", limit=0.0, value=0.0,
)  # fmt: skip
_activation(
    "hardshrink", lambda a, lambd=0.5: np.where(np.abs(a) > lambd, a, a.dtype.type(0)),
    lambda F, g, a, lambd: F.where(F.greater(F.abs(a), lambd), g, 0.0), r"a [|a| > \lambda]", lambd=0.5,
)  # fmt: skip
_activation(
    "softshrink",
    lambda a, lambd=0.5: np.where(a > lambd, a - lambd, np.where(a < -lambd, a + lambd, a * a.dtype.type(0))),
    lambda F, g, a, lambd: F.where(F.greater(F.abs(a), lambd), g, 0.0),
    r"\operatorname{sign}(a) \max(|a| - \lambda, 0)", lambd=0.5,
)  # fmt: skip
_activation(
    "hardsigmoid", lambda a: np.clip(a + 3, 0, 6) / 6,
    lambda F, g, a: F.where(_within(F, a, -3, 3), F.div(g, 6), 0.0), r"\min(\max(a + 3, 0), 6) / 6",
)  # fmt: skip
_activation(
    "hardswish", lambda a: a * np.clip(a + 3, 0, 6) / 6,
    lambda F, g, a: F.where(
        F.greater_equal(a, 3), g, F.where(F.greater(a, -3), F.mul(g, F.add(F.div(a, 3), 0.5)), 0.0)
    ),
    r"a \min(\max(a + 3, 0), 6) / 6",
)  # fmt: skip
_activation(
    "celu", lambda a, alpha=1.0: np.where(a > 0, a, np.expm1(np.minimum(a, 0) / alpha) * alpha),
    lambda F, g, a, alpha: F.where(F.greater(a, 0), g, F.mul(g, F.exp(F.div(F.minimum(a, 0), alpha)))),
    r"\max(a, 0) + \alpha (e^{\min(a, 0) / \alpha} - 1)", alpha=1.0,
)  # fmt: skip


def _mish_slope(F: Any, g: Any, a: Any) -> Any:
    t = F.tanh(F.softplus(a))
    return F.mul(g, F.add(t, F.mul(F.mul(a, F.sigmoid(a)), F.sub(1, F.square(t)))))


_activation("mish", lambda a: a * np.tanh(np.logaddexp(a, a.dtype.type(0))), _mish_slope, r"a \tanh \ln(1 + e^a)")
_activation(
    "scaled_softplus",
    lambda a, beta=1.0, threshold=20.0: np.where(
        a * beta > threshold, a, np.log1p(np.exp(np.minimum(a * beta, threshold))) / beta
    ).astype(a.dtype),
    lambda F, g, a, beta, threshold: F.where(
        F.greater(F.mul(a, beta), threshold), g, F.mul(g, F.sigmoid(F.mul(a, beta)))
    ),
    r"\frac{1}{\beta} \ln(1 + e^{\beta a})", beta=1.0, threshold=20.0,
)  # fmt: skip
declare(
    "prelu", "a b", lambda a, b: np.where(a > 0, a, a * b), _rule("prelu", "a b", "common"),
    {
        "a": lambda F, g, a, b: F.where(F.greater(a, 0), g, F.mul(g, b)),
        "b": lambda F, g, a: F.where(F.greater(a, 0), 0.0, F.mul(g, a)),
    },
    elementwise=True, promotion="common", category="activation", symbol="hinge", formula=r"\max(a, 0) + b \min(a, 0)",
)  # fmt: skip
declare(
    "divide_rounded", "a b", divide_rounded_kernel, _rule("divide_rounded", "a b", "common", mode="floor"),
    {"a": zero_slope, "b": zero_slope}, elementwise=True, promotion="common", symbol="÷",
    formula=r"\lfloor a / b \rfloor",
)  # fmt: skip
