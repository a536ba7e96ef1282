"""Nonlinearities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops.registry import Array, op
from engine.ops.special import erf
from engine.ops.type_rules import elementwise, per_element, shape_error
from engine.tensor_type import TensorType

# mypy knows neither positional axes of `reduce` nor that a ufunc with `out` gives an array.
_maximum: Any = np.maximum
_greater: Any = np.greater
_exp: Any = np.exp
_FLOAT32 = np.dtype(np.float32)
_ZERO = np.zeros((), np.float32)  # converting a Python 0 costs a fifth of the call
_NOUGHTS = np.zeros(1 << 20, np.float32)
"""As many zeros as an operand may have: NumPy compares two arrays in a quarter of the time that it takes against one
number. Never written to, so that the system gives it one page of memory for all of them."""
_NOUGHTS.flags.writeable = False
_MANY = 4096
"""From here on that is worth a call more."""
_max: Any = np.maximum.reduce
_sum: Any = np.add.reduce
_ELEMENTWISE: dict[str, Any] = {"elementwise": True, "category": "activation"}


def zeros_beside(shape: tuple[int, ...], dtype: Any, many: int = _MANY) -> Array | None:
    """Zeros to compare an operand of this type with: one, or from ``many`` elements on one for each (read-only).
    ``None``: of this type there are none ready."""
    if dtype != _FLOAT32:
        return None
    size = math.prod(shape)
    return _NOUGHTS[:size].reshape(shape) if many <= size <= len(_NOUGHTS) else _ZERO


def relu_kernel(a: Array, out: Array | None = None) -> Array:
    if a.dtype is not _FLOAT32:
        return _maximum(a, 0, out=out)  # type: ignore[no-any-return]
    zeros = zeros_beside(a.shape, _FLOAT32) if a.size >= _MANY else _ZERO
    return _maximum(a, zeros, out=out)  # type: ignore[no-any-return]


op(
    "relu",
    "a",
    relu_kernel,
    elementwise("relu", "common", lowest=1),
    {"a": lambda F, g, out: F.relu_grad(g, out)},
    accepts_out=True,
    promotion="common",
    symbol="hinge",
    formula=r"\max(a, 0)",
    flops=per_element(),
    **_ELEMENTWISE,
)


def relu_grad_kernel(upstream: Array, result: Array, out: Array | None = None) -> Array:
    """``upstream`` where the ``result`` of ``relu`` (never negative) is positive, else 0."""
    # A comparison that writes numbers instead of bools takes a third of the time of sign.
    slope = _greater(result, _ZERO if result.dtype is _FLOAT32 else 0, np.empty_like(result))
    fits = out is None and upstream.shape == slope.shape and upstream.dtype == slope.dtype
    product: Array = np.multiply(upstream, slope, slope if fits else out)
    return product


op(
    "relu_grad",
    "upstream result",
    relu_grad_kernel,
    elementwise("relu_grad"),
    {"upstream": lambda F, h, result: F.relu_grad(h, result)},
    elementwise=True,
    promotion="common",
    category="gradient",
    symbol="nabla",
    formula=r"g \cdot [a > 0]",
    flops=per_element(2),
)


def sigmoid_kernel(a: Array, out: Array | None = None) -> Array:
    """1 / (1 + e^-a). Where e^-a overflows, the result is 0, as it should be."""
    out = np.negative(a, out)
    if out.__class__ is not np.ndarray:
        return np.reciprocal(_exp(out) + 1)  # type: ignore[no-any-return]
    _exp(out, out)
    np.add(out, 1, out)
    return np.reciprocal(out, out)


def _sigmoid_vjp(F: Any, g: Any, out: Any) -> Any:
    return F.mul(g, F.mul(out, F.sub(1, out)))


op(
    "sigmoid",
    "a",
    sigmoid_kernel,
    elementwise("sigmoid", "float"),
    {"a": _sigmoid_vjp},
    accepts_out=True,
    promotion="float",
    symbol="ess",
    formula=r"\frac{1}{1 + e^{-a}}",
    flops=per_element(13),
    **_ELEMENTWISE,
)
op(
    "tanh",
    "a",
    np.tanh,
    elementwise("tanh", "float"),
    {"a": lambda F, g, out: F.mul(g, F.sub(1, F.square(out)))},
    accepts_out=True,
    promotion="float",
    symbol="ess",
    formula=r"\tanh a",
    flops=per_element(10),
    **_ELEMENTWISE,
)


def softplus_kernel(a: Array, out: Array | None = None) -> Array:
    """ln(1 + e^a), without overflow."""
    return np.logaddexp(a, a.dtype.type(0), out)  # type: ignore[no-any-return]


op(
    "softplus",
    "a",
    softplus_kernel,
    elementwise("softplus", "float"),
    {"a": lambda F, g, a: F.mul(g, F.sigmoid(a))},
    accepts_out=True,
    promotion="float",
    symbol="hinge",
    formula=r"\ln(1 + e^a)",
    flops=per_element(20),
    **_ELEMENTWISE,
)


def leaky_relu_kernel(a: Array, slope: float = 0.01) -> Array:
    """``a`` where it is positive, ``slope * a`` elsewhere."""
    return np.where(a > 0, a, a * slope)


def _leaky_type(a: TensorType, slope: float = 0.01) -> TensorType:
    return elementwise("leaky_relu", "float")(a)


def leaky_relu_grad_kernel(upstream: Array, a: Array, slope: float = 0.01) -> Array:
    """``upstream`` where ``a`` is positive, ``slope`` times it elsewhere."""
    return np.where(a > 0, upstream, upstream * slope)


op("leaky_relu_grad", "upstream a", leaky_relu_grad_kernel,
   lambda upstream, a, slope=0.01: elementwise("leaky_relu_grad")(upstream, a),
   {"upstream": lambda F, h, a, slope: F.leaky_relu_grad(h, a, slope), "a": lambda F, h: F.zeros_like(h)},
   elementwise=True, promotion="common", category="gradient", symbol="nabla",
   formula=r"g \cdot (1 \text{ or } s)", flops=per_element(2))  # fmt: skip


def _leaky_vjp(F: Any, g: Any, a: Any, slope: float) -> Any:
    return F.leaky_relu_grad(g, a, slope)


op("leaky_relu", "a", leaky_relu_kernel, _leaky_type, {"a": _leaky_vjp}, promotion="float", symbol="hinge",
   formula=r"\max(a, 0) + s \min(a, 0)", flops=per_element(2), **_ELEMENTWISE)  # fmt: skip


def elu_kernel(a: Array, alpha: float = 1.0) -> Array:
    """``a`` where it is positive, ``alpha * (e^a - 1)`` elsewhere."""
    return np.where(a > 0, a, np.expm1(np.minimum(a, 0)) * alpha)


def _elu_type(a: TensorType, alpha: float = 1.0) -> TensorType:
    return elementwise("elu", "float")(a)


def _elu_vjp(F: Any, g: Any, a: Any, alpha: float) -> Any:
    return F.where(F.greater(a, 0), g, F.mul(g, F.mul(F.exp(F.minimum(a, 0)), alpha)))


op("elu", "a", elu_kernel, _elu_type, {"a": _elu_vjp}, promotion="float", symbol="hinge",
   formula=r"\max(a, 0) + \alpha (e^{\min(a, 0)} - 1)", flops=per_element(12), **_ELEMENTWISE)  # fmt: skip

op(
    "erf",
    "a",
    erf,
    elementwise("erf", "float"),
    {"a": lambda F, g, a: F.mul(F.mul(g, 2 / math.sqrt(math.pi)), F.exp(F.neg(F.square(a))))},
    elementwise=True,
    promotion="float",
    symbol="erf",
    formula=r"\operatorname{erf} a",
    flops=per_element(30),
)

_ROOT = math.sqrt(2 / math.pi)


def gelu_kernel(a: Array, approximate: str = "none") -> Array:
    """``a`` times the normal distribution function of ``a``; ``approximate="tanh"`` is the usual shortcut."""
    if approximate == "tanh":
        return 0.5 * a * (1 + np.tanh(_ROOT * (a + 0.044715 * a * a * a)))  # type: ignore[no-any-return]
    return 0.5 * a * (1 + erf(a * math.sqrt(0.5)))  # type: ignore[no-any-return]


def _gelu_type(a: TensorType, approximate: str = "none") -> TensorType:
    if approximate not in ("none", "tanh"):
        raise shape_error("gelu", f'approximate is "none" or "tanh", not {approximate!r}', a)
    return elementwise("gelu", "float")(a)


def _gelu_vjp(F: Any, g: Any, a: Any, approximate: str) -> Any:
    if approximate == "tanh":
        squared = F.square(a)
        t = F.tanh(F.mul(F.mul(a, F.add(F.mul(squared, 0.044715), 1)), _ROOT))
        inner = F.mul(F.add(F.mul(squared, 3 * 0.044715), 1), _ROOT)
        slope = F.mul(F.mul(a, F.sub(1, F.square(t))), inner)
        return F.mul(g, F.mul(F.add(F.add(t, 1), slope), 0.5))
    density = F.mul(F.exp(F.mul(F.square(a), -0.5)), 1 / math.sqrt(2 * math.pi))
    return F.mul(g, F.add(F.mul(F.add(F.erf(F.mul(a, math.sqrt(0.5))), 1), 0.5), F.mul(a, density)))


op("gelu", "a", gelu_kernel, _gelu_type, {"a": _gelu_vjp}, promotion="float", symbol="hinge",
   formula=r"a \cdot \Phi(a)", flops=per_element(35), **_ELEMENTWISE)  # fmt: skip


def silu_kernel(a: Array) -> Array:
    """``a`` times its sigmoid."""
    return np.multiply(a, sigmoid_kernel(a))


def _silu_vjp(F: Any, g: Any, a: Any) -> Any:
    s = F.sigmoid(a)
    return F.mul(g, F.mul(s, F.add(F.mul(a, F.sub(1, s)), 1)))


op("silu", "a", silu_kernel, elementwise("silu", "float"), {"a": _silu_vjp}, promotion="float", symbol="hinge",
   formula=r"a \cdot \sigma(a)", flops=per_element(14), **_ELEMENTWISE)  # fmt: skip


def log_sigmoid_kernel(a: Array) -> Array:
    """-ln(1 + e^-a), without overflow."""
    return np.negative(softplus_kernel(np.negative(a)))


op("log_sigmoid", "a", log_sigmoid_kernel, elementwise("log_sigmoid", "float"),
   {"a": lambda F, g, a: F.mul(g, F.sigmoid(F.neg(a)))},
   promotion="float", symbol="hinge", formula=r"\ln \sigma(a)", flops=per_element(22), **_ELEMENTWISE)  # fmt: skip


def softsign_kernel(a: Array) -> Array:
    """a / (1 + |a|)."""
    return a / (1 + np.abs(a))  # type: ignore[no-any-return]


op("softsign", "a", softsign_kernel, elementwise("softsign", "float"),
   {"a": lambda F, g, a: F.div(g, F.square(F.add(F.abs(a), 1)))},
   promotion="float", symbol="ess", formula=r"\frac{a}{1 + |a|}", flops=per_element(3), **_ELEMENTWISE)  # fmt: skip

_SCALE, _ALPHA = 1.0507009873554805, 1.6732632423543772


def selu_kernel(a: Array) -> Array:
    """The ``elu`` whose two constants keep mean 0 and variance 1 through layers."""
    return elu_kernel(a, _ALPHA) * _SCALE


def _selu_vjp(F: Any, g: Any, a: Any) -> Any:
    return F.mul(
        g, F.where(F.greater(a, 0), F.mul(F.ones_like(a), _SCALE), F.mul(F.exp(F.minimum(a, 0)), _SCALE * _ALPHA))
    )


op("selu", "a", selu_kernel, elementwise("selu", "float"), {"a": _selu_vjp}, promotion="float", symbol="hinge",
   formula=r"\lambda \operatorname{elu}_\alpha(a)", flops=per_element(13), **_ELEMENTWISE)  # fmt: skip
