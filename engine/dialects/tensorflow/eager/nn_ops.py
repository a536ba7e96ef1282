"""``tf.nn`` of eager tensors: activations and losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager import array_ops, math_ops
from engine.dialects.tensorflow.eager.messages import refused
from engine.dialects.tensorflow.eager.operands import together
from engine.dialects.tensorflow.eager.tensor import Valued, convert, run

_F = math_ops.FUNCTIONS
sigmoid, tanh = _F["sigmoid"], _F["tanh"]


def _activated(op: str, label: str, value: Any, **attributes: Any) -> Any:
    """An op that only takes numbers with a fraction."""
    tensor = convert(value)
    if isinstance(tensor, Valued) and tensor._array.dtype.kind != "f":
        raise refused(label, tensor.dtype)
    return run(op, label, tensor, **attributes)


def relu(features: Any, name: str | None = None) -> Any:
    return run("relu", "Relu", convert(features))


def relu6(features: Any, name: str | None = None) -> Any:
    return run("clip", "Relu6", convert(features), low=0.0, high=6.0)


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Any:
    return run("leaky_relu", "LeakyRelu", convert(features), slope=float(alpha))


def elu(features: Any, name: str | None = None) -> Any:
    return _activated("elu", "Elu", features)


def selu(features: Any, name: str | None = None) -> Any:
    return _activated("selu", "Selu", features)


def softplus(features: Any, name: str | None = None) -> Any:
    return _activated("softplus", "Softplus", features)


def silu(features: Any, beta: float = 1.0) -> Any:
    return run("silu", "Silu", convert(features)) if beta == 1.0 else _F["multiply"](
        features, sigmoid(_F["multiply"](features, beta))
    )  # fmt: skip


swish = silu


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Any:
    return run("gelu", "Gelu", convert(features), approximate="tanh" if approximate else "none")


def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Any:
    return _activated("softmax", "Softmax", logits, axis=-1 if axis is None else axis)


def log_softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Any:
    return _activated("log_softmax", "LogSoftmax", logits, axis=-1 if axis is None else axis)


def l2_loss(t: Any, name: str | None = None) -> Any:
    return _F["multiply"](_F["reduce_sum"](_F["square"](t)), 0.5)


def bias_add(value: Any, bias: Any, data_format: Any = None, name: str | None = None) -> Any:
    a, b = together("BiasAdd", (convert(value), convert(bias)))
    return run("add", "BiasAdd", a, b)


def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """``-sum(labels * log_softmax(logits))`` for each example."""
    scores = convert(logits)
    logs = log_softmax(scores, axis)
    return _F["negative"](_F["reduce_sum"](_F["multiply"](convert(labels, scores.dtype), logs), axis))


def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Any:
    """The same loss with class numbers for labels."""
    scores, classes = convert(logits), convert(labels)
    if classes._array.shape != scores._array.shape[:-1]:
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={classes.shape} and logits.shape={scores.shape}"
        )
    return run(
        "cross_entropy", "SparseSoftmaxCrossEntropyWithLogits", scores, classes, reduction="none", axis=-1
    )  # fmt: skip


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Any:
    """``-labels * ln(sigmoid) - (1 - labels) * ln(1 - sigmoid)``, element by element."""
    scores = convert(logits)
    targets = convert(labels, scores.dtype)
    if targets._array.shape != scores._array.shape:
        raise ValueError(
            f"`logits` and `labels` must have the same shape, received ({scores.shape} vs {targets.shape})."
        )
    return run("binary_cross_entropy_with_logits", "SigmoidCrossEntropyWithLogits", scores, targets, reduction="none")


def embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Any:
    return array_ops.gather(params, ids)


def moments(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Mean and variance over ``axes``."""
    tensor = convert(x)
    mean = _F["reduce_mean"](tensor, axes, True)
    distance = _F["squared_difference"](tensor, array_ops.stop_gradient(mean))
    variance = _F["reduce_mean"](distance, axes, True)
    if keepdims:
        return mean, variance
    return array_ops.squeeze(mean, axes), array_ops.squeeze(variance, axes)


def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None) -> Any:
    """Each element is dropped with probability ``rate``; the others grow by 1 / (1 - rate)."""
    from engine.dialects.tensorflow.eager import random_ops

    tensor = convert(x)
    noise = random_ops.uniform(tensor.shape if noise_shape is None else noise_shape, seed=seed, dtype=tensor.dtype)
    kept = math_ops.cast(_F["greater_equal"](noise, rate), tensor.dtype)
    return _F["multiply"](_F["multiply"](tensor, np.float64(1 / (1 - float(rate))).item()), kept)


FUNCTIONS = {
    f.__name__: f for f in (
        relu, relu6, leaky_relu, elu, selu, softplus, silu, gelu, softmax, log_softmax, l2_loss, bias_add,
        softmax_cross_entropy_with_logits, sparse_softmax_cross_entropy_with_logits,
        sigmoid_cross_entropy_with_logits, embedding_lookup, moments, dropout,
    )
} | {"sigmoid": sigmoid, "tanh": tanh, "swish": silu}  # fmt: skip
