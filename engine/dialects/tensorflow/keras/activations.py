"""Activation functions, by name or as functions."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.eager.tensor import convert, run
from engine.dialects.tensorflow.keras import functions, marks, symbolic
from engine.dialects.tensorflow.keras.both import math_ops, nn_ops
from engine.dialects.tensorflow.keras.serialization import family, getter, serialize

_M = math_ops.FUNCTIONS


def linear(x: Any) -> Any:
    return x


def relu(x: Any, negative_slope: float = 0.0, max_value: Any = None, threshold: float = 0.0) -> Any:
    """``max(x, 0)``; below ``threshold`` a slope, above ``max_value`` no more."""
    if symbolic.is_symbolic(x):
        return symbolic.apply("ReLU", lambda t: relu(t, negative_slope, max_value, threshold), x)
    x = convert(x)
    if not (negative_slope or threshold or max_value is not None):
        return nn_ops.relu(x)
    if threshold:
        positive = _M["multiply"](x, math_ops.cast(_M["greater"](x, float(threshold)), x.dtype))
    else:
        positive = nn_ops.relu(x)
    if max_value is not None:
        positive = run("clip", "ClipByValue", positive, low=0.0, high=float(max_value))
    if negative_slope:
        below = nn_ops.relu(_M["subtract"](float(threshold), x) if threshold else _M["negative"](x))
        positive = _M["subtract"](positive, _M["multiply"](below, float(negative_slope)))
    return positive


def leaky_relu(x: Any, negative_slope: float = 0.2) -> Any:
    return nn_ops.leaky_relu(x, negative_slope)


def elu(x: Any, alpha: float = 1.0) -> Any:
    if alpha == 1.0:
        return nn_ops.elu(x)
    x = convert(x)
    lower = _M["multiply"](nn_ops.elu(x), float(alpha))
    return functions.PLAIN["where"](_M["greater"](x, 0.0), x, lower)


def selu(x: Any) -> Any:
    return nn_ops.selu(x)


def softplus(x: Any) -> Any:
    return nn_ops.softplus(x)


def softsign(x: Any) -> Any:
    return run("softsign", "Softsign", convert(x))


def silu(x: Any) -> Any:
    return nn_ops.silu(x)


swish = silu


def gelu(x: Any, approximate: bool = False) -> Any:
    return nn_ops.gelu(x, approximate)


def tanh(x: Any) -> Any:
    return _M["tanh"](x)


def sigmoid(x: Any) -> Any:
    result = _M["sigmoid"](x)
    marks.put(result, "logits", x)
    return result


def hard_sigmoid(x: Any) -> Any:
    return functions.hard_sigmoid(x)


def exponential(x: Any) -> Any:
    return _M["exp"](x)


def mish(x: Any) -> Any:
    return functions.mish(x)


def softmax(x: Any, axis: int = -1) -> Any:
    x = convert(x)
    result = nn_ops.softmax(x, axis)
    marks.put(result, "logits", x)
    return result


def log_softmax(x: Any, axis: int = -1) -> Any:
    return nn_ops.log_softmax(x, axis)


FUNCTIONS = {
    f.__name__: f for f in (
        linear, relu, leaky_relu, elu, selu, softplus, softsign, silu, gelu, tanh, sigmoid, hard_sigmoid,
        exponential, mish, softmax, log_softmax,
    )
} | {
    "relu6": nn_ops.relu6, "swish": silu, "hard_swish": lambda x: _M["multiply"](x, functions.hard_sigmoid(x)),
}  # fmt: skip
family("keras.activations", FUNCTIONS)
_get = getter("keras.activations", "activation function", make=False)


def get(identifier: Any) -> Any:
    """An activation by name; nothing is the identity.

    :raises ValueError: there is none of that name.
    """
    if identifier is None:
        return linear
    try:
        return _get(identifier)
    except ValueError:
        raise ValueError(f"Could not interpret activation function identifier: {identifier}") from None


def serialize_activation(activation: Any) -> Any:
    """An activation as a layer's config holds it."""
    return serialize(activation)
