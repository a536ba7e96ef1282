"""``keras.backend``: what is left of it, and the functions that old lessons use."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import Valued
from engine.dialects.tensorflow.keras import functions, random, state
from engine.dialects.tensorflow.keras.both import array_ops, math_ops, nn_ops
from engine.dialects.tensorflow.keras.losses import functions as losses
from engine.dialects.tensorflow.keras.variables import Variable

_M, _F = math_ops.FUNCTIONS, functions.PLAIN


def get_uid(prefix: str = "") -> int:
    state.program.names[prefix] += 1
    return state.program.names[prefix]


def evaluate(x: Any) -> Any:
    return x.numpy() if isinstance(x, Valued) else np.asarray(x)


def set_value(x: Any, value: Any) -> None:
    x.assign(value)


def int_shape(x: Any) -> tuple[Any, ...]:
    return tuple(x.shape)


def _binary(target: Any, output: Any, from_logits: bool = False) -> Any:
    return losses._binary(*losses._pair(target, output), from_logits)


FUNCTIONS: dict[str, Any] = {
    **{name: _F[name] for name in (
        "sum", "mean", "max", "min", "abs", "square", "sqrt", "exp", "log", "maximum", "minimum", "clip", "cast",
        "equal", "not_equal", "greater", "less", "argmax", "argmin", "relu", "sigmoid", "softmax", "tanh", "dot",
        "transpose", "reshape", "expand_dims", "squeeze", "stack", "concatenate", "round", "sign", "any", "all", "var",
        "std", "cumsum", "prod", "elu", "softplus", "hard_sigmoid",
    )},
    "clear_session": state.clear_session, "floatx": state.floatx, "set_floatx": state.set_floatx,
    "epsilon": state.epsilon, "set_epsilon": state.set_epsilon, "get_uid": get_uid, "eval": evaluate,
    "get_value": evaluate, "set_value": set_value, "int_shape": int_shape, "ndim": lambda x: len(x.shape),
    "shape": array_ops.shape, "constant": array_ops.constant, "zeros": array_ops.zeros, "ones": array_ops.ones,
    "zeros_like": array_ops.zeros_like, "ones_like": array_ops.ones_like,
    "variable": lambda value, dtype=None, name=None: Variable(np.asarray(value), dtype=dtype, name=name),
    "backend": lambda: "tensorflow", "image_data_format": lambda: "channels_last",
    "categorical_crossentropy": losses.categorical_crossentropy, "binary_crossentropy": _binary,
    "sparse_categorical_crossentropy": losses.sparse_categorical_crossentropy,
    "random_normal": random.normal, "random_uniform": random.uniform, "pow": _M["pow"],
    "l2_normalize": lambda x, axis=None: losses._unit(x, axis), "learning_phase": lambda: 0,
    "batch_dot": lambda x, y, axes=None: math_ops.matmul(x, y), "flatten": lambda x: array_ops.reshape(x, [-1]),
    "switch": lambda condition, a, b: array_ops.where(condition, a, b), "log_softmax": nn_ops.log_softmax,
}  # fmt: skip
CONFIG = {
    "floatx": state.floatx, "set_floatx": state.set_floatx, "epsilon": state.epsilon,
    "set_epsilon": state.set_epsilon, "backend": lambda: "tensorflow", "image_data_format": lambda: "channels_last",
}  # fmt: skip
