"""Arithmetic, elementwise and broadcasting. Nearly every kernel is the NumPy ufunc itself."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.ops.promotion import Operand, result_dtype
from engine.ops.registry import Array, op
from engine.ops.type_rules import elementwise, per_element, unify
from engine.tensor_type import Shape, TensorType

_power, _square = np.power, np.square


def binary(
    name: str, kernel: Any, vjps: Any, symbol: str, formula: str, promotion: str = "common", **extra: Any
) -> None:
    """Declare an elementwise op of two operands. ``lowest``: see :func:`engine.ops.type_rules.elementwise`."""
    rule = elementwise(name, promotion, lowest=extra.pop("lowest", 0))
    op(
        name, "a b", kernel, rule, vjps, elementwise=True, accepts_out=True, promotion=promotion,
        symbol=symbol, formula=formula, flops=per_element(extra.pop("cost", 1)), **extra,
    )  # fmt: skip


def unary(name: str, kernel: Any, vjp: Any, symbol: str, formula: str, promotion: str = "float", **extra: Any) -> None:
    """Declare an elementwise op of one operand."""
    rule = elementwise(name, promotion, lowest=extra.pop("lowest", 0))
    op(
        name, "a", kernel, rule, {"a": vjp}, elementwise=True, accepts_out=True, promotion=promotion,
        symbol=symbol, formula=formula, flops=per_element(extra.pop("cost", 1)), **extra,
    )  # fmt: skip


def zero_slope(F: Any, g: Any) -> Any:
    """The gradient of a step function: zero wherever it is defined."""
    return F.zeros_like(g)


# -- two operands -----------------------------------------------------------------------------------------------------
binary("add", np.add, {"a": lambda F, g: g, "b": lambda F, g: g}, "+", "a + b")
binary("sub", np.subtract, {"a": lambda F, g: g, "b": lambda F, g: F.neg(g)}, "−", "a - b", lowest=1)
binary("mul", np.multiply, {"a": lambda F, g, b: F.mul(g, b), "b": lambda F, g, a: F.mul(g, a)}, "×", r"a \cdot b")
binary(
    "div", np.true_divide,
    {"a": lambda F, g, b: F.div(g, b), "b": lambda F, g, b, out: F.neg(F.div(F.mul(g, out), b))},
    "÷", r"\frac{a}{b}", "float",
)  # fmt: skip
binary("floor_div", np.floor_divide, {"a": zero_slope, "b": zero_slope}, "⌊÷⌋", r"\lfloor a / b \rfloor", lowest=1)
binary(
    "mod", np.remainder,
    {"a": lambda F, g: g, "b": lambda F, g, a, b: F.neg(F.mul(g, F.floor(F.div(a, b))))},
    "mod", r"a \bmod b", lowest=1,
)  # fmt: skip


def _split_ties(F: Any, g: Any, winner: Any, loser: Any) -> Any:
    """Where the winner is larger it gets the gradient, where both are equal each gets half, the loser a clean zero
    (also of an infinite gradient)."""
    return F.where(F.equal(winner, loser), F.mul(g, 0.5), F.where(F.less(winner, loser), 0.0, g))


binary(
    "maximum", np.maximum,
    {"a": lambda F, g, a, b: _split_ties(F, g, a, b), "b": lambda F, g, a, b: _split_ties(F, g, b, a)},
    "max", r"\max(a, b)",
)  # fmt: skip


def _split_ties_low(F: Any, g: Any, winner: Any, loser: Any) -> Any:
    return F.where(F.equal(winner, loser), F.mul(g, 0.5), F.where(F.greater(winner, loser), 0.0, g))


binary(
    "minimum", np.minimum,
    {"a": lambda F, g, a, b: _split_ties_low(F, g, a, b), "b": lambda F, g, a, b: _split_ties_low(F, g, b, a)},
    "min", r"\min(a, b)",
)  # fmt: skip


def pow_kernel(a: Array, b: Any, out: Array | None = None) -> Array:
    """``a`` to the power ``b``; the exponent 2 is much faster as a square."""
    if b.__class__ in (int, float) and b == 2 and isinstance(a, (np.ndarray, np.generic)):
        return _square(a, out)
    return _power(a, b, out)  # type: ignore[no-any-return]


def _pow_base(F: Any, g: Any, a: Any, b: Any) -> Any:
    if isinstance(b, (int, float)):  # stays a weak scalar: F.sub(2, 1) would be a strong int64
        if b == 0:
            return F.zeros_like(g)
        return F.mul(g, b) if b == 1 else F.mul(g, F.mul(a if b == 2 else F.pow(a, b - 1), b))
    # a ** -1 * 0 is not a number at a == 0; the derivative of a ** 0 is 0 there like everywhere
    safe = F.where(F.equal(b, 0), 1, b)
    return F.mul(g, F.mul(b, F.pow(a, F.sub(safe, 1))))


def _pow_exponent(F: Any, g: Any, a: Any, out: Any) -> Any:
    if isinstance(a, (int, float)):
        return F.mul(g, F.mul(out, float(np.log(a)) if a > 0 else (0.0 if a == 0 else float("nan"))))
    return F.mul(g, F.mul(out, F.log(F.where(F.equal(a, 0), 1, a))))


binary("pow", pow_kernel, {"a": _pow_base, "b": _pow_exponent}, "xⁿ", "a^b", cost=10)

# -- one operand ------------------------------------------------------------------------------------------------------
unary("neg", np.negative, lambda F, g: F.neg(g), "−x", "-a", "common", lowest=1)
unary("square", np.square, lambda F, g, a: F.mul(g, F.mul(a, 2)), "x²", "a^2", "common")
unary("sqrt", np.sqrt, lambda F, g, out: F.div(F.mul(g, 0.5), out), "√", r"\sqrt{a}")
unary("abs", np.absolute, lambda F, g, a: F.mul(g, F.sign(a)), "|x|", "|a|", "common")
unary("exp", np.exp, lambda F, g, out: F.mul(g, out), "eˣ", "e^a", cost=10)
unary("expm1", np.expm1, lambda F, g, out: F.mul(g, F.add(out, 1)), "eˣ", "e^a - 1", cost=10)
unary("log", np.log, lambda F, g, a: F.div(g, a), "ln", r"\ln a", cost=10)
unary("log1p", np.log1p, lambda F, g, a: F.div(g, F.add(a, 1)), "ln", r"\ln(1 + a)", cost=10)
unary("reciprocal", np.reciprocal, lambda F, g, out: F.mul(g, F.neg(F.square(out))), "1/x", r"\frac{1}{a}")
unary("sign", np.sign, zero_slope, "±", r"\operatorname{sign} a", "common", lowest=1)
unary("floor", np.floor, zero_slope, "⌊x⌋", r"\lfloor a \rfloor", "common", lowest=1)
unary("sin", np.sin, lambda F, g, a: F.mul(g, F.cos(a)), "sin", r"\sin a", cost=10)
unary("cos", np.cos, lambda F, g, a: F.mul(g, F.neg(F.sin(a))), "cos", r"\cos a", cost=10)
unary("tan", np.tan, lambda F, g, out: F.mul(g, F.add(F.square(out), 1)), "tan", r"\tan a", cost=10)


def rsqrt_kernel(a: Array, out: Array | None = None) -> Array:
    """One over the square root."""
    root = np.sqrt(a, out)
    return np.reciprocal(root, out)


unary(
    "rsqrt",
    rsqrt_kernel,
    lambda F, g, a, out: F.mul(F.mul(g, -0.5), F.div(out, a)),
    "1/√",
    r"\frac{1}{\sqrt{a}}",
    cost=2,
)


def clip_kernel(a: Array, low: float | None = None, high: float | None = None, out: Array | None = None) -> Array:
    """``a`` limited to ``[low, high]``; ``None`` leaves that side open."""
    if low is not None:
        a = np.maximum(a, low, out=out)
    elif high is None:
        return np.positive(a, out)
    return a if high is None else np.minimum(a, high, out=out)


def _clip_type(a: TensorType, low: float | None = None, high: float | None = None) -> TensorType:
    operands: list[Operand] = [a, *(bound for bound in (low, high) if bound is not None)]
    return elementwise("clip", lowest=1)(*operands)


def _clip_vjp(F: Any, g: Any, a: Any, low: float | None, high: float | None) -> Any:
    if low is not None:
        g = F.mul(g, F.greater_equal(a, low))
    return g if high is None else F.mul(g, F.less_equal(a, high))


op(
    "clip", "a", clip_kernel, _clip_type, {"a": _clip_vjp}, elementwise=True, accepts_out=True, promotion="common",
    symbol="[ ]", formula=r"\min(\max(a, l), h)", flops=per_element(2),
)  # fmt: skip


def add_n_kernel(*operands: Array) -> Array:
    """The sum of operands of equal shape."""
    if len(operands) == 1:
        return np.array(operands[0])
    result = np.add(operands[0], operands[1])
    for operand in operands[2:]:
        result = np.add(result, operand, result if result.__class__ is np.ndarray else None)
    return result


def _add_n_type(*operands: TensorType) -> TensorType:
    shape: Shape | None = None
    for operand in operands:
        shape = unify("add_n", "operands", shape, operand.shape, *operands)
    return TensorType(result_dtype(*operands), shape)


op("add_n", "*operands", add_n_kernel, _add_n_type, {"operands": lambda F, g: g}, promotion="common", symbol="+",
   formula=r"\sum_k a_k", flops=lambda out, *shapes: len(shapes) * prod(out))  # fmt: skip
