"""Samples of arithmetic, comparisons and activations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.ops.samples import boolean, positive, real, sample, whole

# -- two operands, with and without broadcasting ----------------------------------------------------------------------
BINARY: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "floor_div": lambda a, b: np.floor(a / b),
    "mod": lambda a, b: a - b * np.floor(a / b),
    "maximum": lambda a, b: np.where(a > b, a, b),
    "minimum": lambda a, b: np.where(a < b, a, b),
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
}
for name, expected in BINARY.items():
    sample(name, real(2, 3), positive(2, 3), expected=expected)
    sample(name, real(2, 1, 3), positive(4, 1), expected=expected)
    sample(name, real(3), 0.7, expected=expected)
    sample(name, 0.7, positive(3), expected=expected)
sample("pow", positive(2, 3), real(3), expected=lambda a, b: np.exp(b * np.log(a)))
sample("pow", real(4), 2, expected=lambda a, b: a * a)
sample("pow", real(4), 3, expected=lambda a, b: a * a * a)
sample("pow", real(4), 1, expected=lambda a, b: a)
sample("pow", real(4), 0, expected=lambda a, b: np.ones(4))
sample("pow", 1.5, real(4), expected=lambda a, b: np.exp(b * np.log(1.5)))
sample("add", whole(5, 3), whole(5, 2, 3), expected=lambda a, b: a + b)
sample("equal", whole(2, 4), whole(2, 4), expected=lambda a, b: np.logical_not(a - b))
sample("logical_and", boolean(3, 2), boolean(2), expected=lambda a, b: a & b)
sample("logical_or", boolean(3, 2), boolean(2), expected=lambda a, b: a | b)
sample("logical_xor", boolean(3, 2), boolean(2), expected=lambda a, b: a ^ b)
sample("logical_not", boolean(3, 2), expected=lambda a: ~a)
special = np.array([1.0, np.nan, np.inf, -np.inf])
sample("isnan", special, expected=lambda a: a != a)
sample("isinf", special, expected=lambda a: np.abs(a) == np.inf)
sample("isfinite", special, expected=lambda a: np.abs(a) < np.inf)
sample("where", boolean(2, 3), real(2, 3), real(3), expected=lambda c, a, b: c * a + (1 - c) * b)
sample("where", boolean(2, 1), real(2), 0.5, expected=lambda c, a, b: c * a + (1 - c) * b)

# -- one operand ------------------------------------------------------------------------------------------------------
UNARY: dict[str, Any] = {
    "neg": lambda a: 0 - a,
    "square": lambda a: a * a,
    "abs": lambda a: np.sqrt(a * a),
    "exp": lambda a: np.power(math.e, a),
    "expm1": lambda a: np.power(math.e, a) - 1,
    "sign": lambda a: a / np.abs(a),
    "floor": lambda a: a - np.mod(a, 1),
    "sin": lambda a: np.imag(np.exp(1j * a)),
    "cos": lambda a: np.real(np.exp(1j * a)),
    "relu": lambda a: a * (a > 0),
    "sigmoid": lambda a: np.exp(a) / (np.exp(a) + 1),
    "tanh": lambda a: (np.exp(2 * a) - 1) / (np.exp(2 * a) + 1),
    "softplus": lambda a: np.log(1 + np.exp(a)),
    "erf": lambda a: np.vectorize(math.erf)(a),
    "identity": lambda a: a,
    "stop_gradient": lambda a: a,
    "copy": lambda a: a,
    "zeros_like": lambda a: a * 0,
    "ones_like": lambda a: a * 0 + 1,
}
for name, expected in UNARY.items():
    sample(name, real(3, 4), expected=expected)
sample("tan", real(4) * 0.6, expected=lambda a: np.sin(a) / np.cos(a))
for name, expected in {
    "sqrt": lambda a: np.power(a, 0.5),
    "rsqrt": lambda a: np.power(a, -0.5),
    "log": lambda a: np.log2(a) / np.log2(math.e),
    "log1p": lambda a: np.log(1 + a),
    "reciprocal": lambda a: 1 / a,
}.items():
    sample(name, positive(3, 4), expected=expected)
sample("clip", real(3, 4), expected=lambda a: np.clip(a, -1, 0.9), low=-1.0, high=0.9)
sample("clip", real(3, 4), expected=lambda a: np.where(a < 0, 0, a), low=0)
sample("clip", real(3, 4), expected=lambda a: np.where(a > 1, 1, a), high=1.0)
sample(
    "relu_grad",
    real(3, 4),
    np.maximum(real(3, 4), 0),
    expected=lambda g, result: np.where(result > 0, g, 0),
    second=False,
)  # a kink
sample("relu_grad", real(3, 4), positive(3, 4), expected=lambda g, result: g)
sample("leaky_relu", real(3, 4), expected=lambda a: np.where(a > 0, a, 0.2 * a), slope=0.2)
sample(
    "leaky_relu_grad",
    real(3, 4),
    real(3, 4),
    expected=lambda g, a: np.where(a > 0, g, 0.2 * g),
    slope=0.2,
)
sample("elu", real(3, 4), expected=lambda a: np.where(a > 0, a, 0.7 * (np.exp(a) - 1)), alpha=0.7)
sample("gelu", real(3, 4), expected=lambda a: a * (1 + np.vectorize(math.erf)(a / math.sqrt(2))) / 2)
sample(
    "gelu",
    real(3, 4),
    expected=lambda a: 0.5 * a * (1 + np.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a**3))),
    approximate="tanh",
)


def softmax(a: Any, axis: int) -> Any:
    return np.exp(a) / np.exp(a).sum(axis, keepdims=True)


sample("softmax", real(3, 4), expected=lambda a: softmax(a, -1))
sample("softmax", real(2, 3, 2), expected=lambda a: softmax(a, 1), axis=1)
sample("log_softmax", real(3, 4), expected=lambda a: np.log(softmax(a, -1)))
sample("log_softmax", real(2, 3, 2), expected=lambda a: np.log(softmax(a, 0)), axis=0)
