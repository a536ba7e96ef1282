"""``keras.ops``: functions on tensors that also work between symbolic ones (each is a node of the model then)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import indexing_ops
from engine.dialects.tensorflow.eager import array_ops as eager_arrays
from engine.dialects.tensorflow.eager.tensor import Valued, convert, run
from engine.dialects.tensorflow.keras import symbolic
from engine.dialects.tensorflow.keras.both import array_ops, dtype_of, in_graph, is_tensor, math_ops, nn_ops

_M = math_ops.FUNCTIONS


def _float(x: Any) -> Any:
    tensor = convert(x)
    return tensor if dtype_of(tensor).kind in "fc" else math_ops.cast(tensor, "float32")


def hard_sigmoid(x: Any) -> Any:
    """``relu6(x + 3) / 6``."""
    return _M["multiply"](run("clip", "Relu6", _M["add"](_float(x), 3.0), low=0.0, high=6.0), 1 / 6)


def relu(x: Any) -> Any:
    return nn_ops.relu(convert(x))


def mish(x: Any) -> Any:
    return _M["multiply"](x, _M["tanh"](nn_ops.softplus(x)))


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    tensor = convert(x)
    order = list(range(len(tensor.shape)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return array_ops.transpose(tensor, order)


def take(x: Any, indices: Any, axis: int | None = None) -> Any:
    """``x`` at ``indices`` along ``axis`` (of all elements, without one); negative indices count from the end."""
    function = indexing_ops.take if in_graph() else eager_arrays.take
    return function(array_ops.reshape(x, [-1]) if axis is None else x, indices, axis or 0)


def dot(x1: Any, x2: Any) -> Any:
    a, b = convert(x1), convert(x2)
    if len(a.shape) == 2 and len(b.shape) == 2:
        return math_ops.matmul(a, b)
    return math_ops.tensordot(a, b, [[len(a.shape) - 1], [max(len(b.shape) - 2, 0)]])


def _reduced(name: str) -> Callable[..., Any]:
    def function(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        tensor = convert(x)
        if name in ("reduce_mean", "reduce_variance", "reduce_std"):
            tensor = _float(tensor)
        return _M[name](tensor, axis, keepdims)

    return function


def _sized(name: str) -> Callable[..., Any]:
    def function(x: Any, dtype: Any = None) -> Any:
        return getattr(array_ops, name)(x, dtype)

    return function


PLAIN: dict[str, Callable[..., Any]] = {
    **{name: _M[name] for name in (
        "add", "subtract", "multiply", "divide", "divide_no_nan", "maximum", "minimum", "square", "sqrt", "rsqrt",
        "exp", "log", "log1p", "expm1", "sign", "floor", "ceil", "round", "sin", "cos", "tan", "tanh", "sinh", "cosh",
        "erf",
        "matmul", "tensordot", "einsum", "equal", "not_equal", "greater", "greater_equal", "less", "less_equal",
        "logical_and", "logical_or", "logical_not", "argmax", "argmin", "cumsum", "norm",
    )},
    **{name: getattr(nn_ops, name) for name in (
        "relu6", "sigmoid", "softplus", "silu", "elu", "selu", "gelu", "leaky_relu", "softmax", "log_softmax",
        "one_hot",
    ) if hasattr(nn_ops, name)},
    **{name: getattr(array_ops, name) for name in (
        "reshape", "transpose", "expand_dims", "squeeze", "stack", "split", "tile", "pad", "where", "broadcast_to",
        "unstack", "zeros_like", "ones_like", "one_hot", "stop_gradient", "sort", "argsort",
    )},
    "relu": relu, "power": _M["pow"], "abs": _M["abs"], "absolute": _M["abs"], "negative": _M["negative"],
    "true_divide": _M["divide"], "floor_divide": _M["floordiv"], "mod": _M["floormod"], "hard_sigmoid": hard_sigmoid,
    "mish": mish, "swapaxes": swapaxes, "dot": dot,
    "isnan": _M["is_nan"], "isinf": _M["is_inf"], "isfinite": _M["is_finite"],
    **{short: _reduced(f"reduce_{long}") for short, long in (
        ("sum", "sum"), ("mean", "mean"), ("max", "max"), ("min", "min"), ("prod", "prod"), ("all", "all"),
        ("any", "any"), ("logsumexp", "logsumexp"), ("var", "variance"), ("std", "std"), ("amax", "max"),
        ("amin", "min"),
    )},
    "take": take,
    "concatenate": lambda xs, axis=0: array_ops.concat(xs, axis),
    "clip": lambda x, x_min, x_max: math_ops.clip_by_value(x, x_min, x_max),
    "cast": lambda x, dtype: math_ops.cast(x, dtype),
    "flip": lambda x, axis=None: array_ops.reverse(x, list(range(len(convert(x).shape))) if axis is None else [axis]),
    "ravel": lambda x: array_ops.reshape(x, [-1]),
    "identity": lambda n, dtype="float32": array_ops.eye(n, dtype=dtype),
    "copy": lambda x: array_ops.identity(x),
}  # fmt: skip


def _named(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _either(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def either(*arguments: Any, **options: Any) -> Any:
        return symbolic.apply(_named(name), function, *arguments, **options)

    either.__name__ = name
    return either


def convert_to_numpy(x: Any) -> Any:
    return x.numpy() if isinstance(x, Valued) else np.asarray(x)


def shape(x: Any) -> tuple[Any, ...]:
    return tuple(x.shape)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _either(name, function) for name, function in PLAIN.items()},
    "convert_to_tensor": array_ops.convert_to_tensor, "convert_to_numpy": convert_to_numpy, "shape": shape,
    "zeros": array_ops.zeros, "ones": array_ops.ones, "arange": array_ops.range_, "eye": array_ops.eye,
    "linspace": array_ops.linspace, "array": array_ops.constant, "is_tensor": is_tensor,
    "full": lambda shape, fill_value, dtype=None: array_ops.fill(shape, fill_value),
}  # fmt: skip
