"""``tf.nn``: activations and losses."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops, reductions
from engine.dialects.tensorflow.build import apply, convert, graph_of, hide
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.shapes import softmax_axis

sigmoid, tanh = math_ops.sigmoid, math_ops.tanh


def relu(features: Any, name: str | None = None) -> Tensor:
    return apply("relu", "Relu", name, [("features", features)])


def relu6(features: Any, name: str | None = None) -> Tensor:
    return apply("clip", "Relu6", name, [("features", features)], {"low": 0.0, "high": 6.0})


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    return apply("leaky_relu", "LeakyRelu", name, [("features", features)], {"slope": float(alpha)})


def elu(features: Any, name: str | None = None) -> Tensor:
    return apply("elu", "Elu", name, [("features", features)], {"alpha": 1.0})


def softplus(features: Any, name: str | None = None) -> Tensor:
    return apply("softplus", "Softplus", name, [("features", features)])


def softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    return _along("softmax", "Softmax", _floating(logits, "logits"), softmax_axis(axis, dim), name)


def log_softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    return _along("log_softmax", "LogSoftmax", _floating(logits, "logits"), softmax_axis(axis, dim), name)


def _along(op: str, tf_type: str, logits: Tensor, axis: int, name: str | None) -> Tensor:
    """An op that the real framework has for the last axis only: others change places with it, before and after."""
    from engine.dialects.tensorflow.array_ops import transpose

    rank = logits.shape.ndims
    if rank is None or axis % rank == rank - 1:
        return apply(op, tf_type, name, [("logits", logits)], {"axis": axis})
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return transpose(apply(op, tf_type, name, [("logits", transpose(logits, order))], {"axis": -1}), order, name=name)


def _floating(value: Any, parameter: str) -> Tensor:
    """:raises TypeError: integers."""
    tensor = convert(value, name=parameter)
    if not tensor.dtype.base_dtype.is_floating:
        raise TypeError(
            f"Value passed to parameter '{parameter}' has DataType {tensor.dtype.base_dtype.name} not in list of "
            "allowed values: float16, bfloat16, float32, float64"
        )
    return tensor


def l2_loss(t: Any, name: str | None = None) -> Tensor:
    tensor = convert(t, name="t")
    core = tensor.graph.core
    before = len(core.nodes)
    with core.scope("parts"):
        total = core.apply("sum", core.apply("square", tensor._node), axis=None, keepdims=False)
    result = apply("mul", "L2Loss", name, [("t", tensor.graph.tensor(total)), ("half", 0.5)])
    hide(tensor.graph, [n for n in core.nodes[before:] if n is not result._node], result._node)
    result.op._inputs = [tensor]
    return result


def bias_add(value: Any, bias: Any, data_format: Any = None, name: str | None = None) -> Tensor:
    return apply("add", "BiasAdd", name, [("value", value), ("bias", bias)])


def selu(features: Any, name: str | None = None) -> Tensor:
    return apply("selu", "Selu", name, [("features", features)])


def softsign(features: Any, name: str | None = None) -> Tensor:
    return apply("softsign", "Softsign", name, [("features", features)])


def swish(features: Any, name: str | None = None) -> Tensor:
    tensor = convert(features)
    return math_ops.multiply(tensor, math_ops.sigmoid(tensor), name=name)


def crelu(features: Any, name: str | None = None, axis: int = -1) -> Tensor:
    """The positive part of ``features`` and that of ``-features``, side by side."""
    from engine.dialects.tensorflow.array_ops import concat

    tensor = convert(features, name="features")
    with tensor.graph.name_scope(name or "CRelu") as scope:
        return relu(concat([tensor, math_ops.negative(tensor)], axis), name=scope)


def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """``x @ weights + biases``."""
    tensor = convert(x, name="x")
    with tensor.graph.name_scope(name or "xw_plus_b") as scope:
        return bias_add(math_ops.matmul(tensor, weights), biases, name=scope)


def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """``relu(x @ weights + biases)``."""
    tensor = convert(x, name="x")
    with tensor.graph.name_scope(name or "relu_layer") as scope:
        return relu(bias_add(math_ops.matmul(tensor, weights), biases), name=scope)


def top_k(input: Any, k: int = 1, sorted: bool = True, name: str | None = None) -> Any:
    """The ``k`` largest along the last axis, and where they are: ``(values, indices)``."""
    from engine.dialects.tensorflow.indexing_ops import several

    tensor = convert(input, name="input")
    attributes = {"k": int(k), "axis": -1, "largest": True}
    values = apply("topk", "TopKV2", name, [("input", tensor)], attributes, constants=[("k", int(k))])
    core = tensor.graph.core
    wide = core.add("argtopk", [tensor._node], attributes, name=f"{values.op.name}:wide/")
    places = core.add("cast", [wide], {"dtype": np.dtype(np.int32)}, name=f"{values.op.name}:1/", label="TopKV2")
    hide(tensor.graph, [wide], values._node)
    return TopKV2(*several(values, [places]))


TopKV2 = namedtuple("TopKV2", ("values", "indices"))


def in_top_k(predictions: Any, targets: Any, k: int, name: str | None = None) -> Tensor:
    """Whether each target's prediction is among the ``k`` largest."""
    graph = graph_of([predictions, targets])
    with graph.as_default(), graph.name_scope(name or "in_top_k"):
        inputs = [("predictions", predictions), ("targets", targets)]
        constants = [("k", np.int32(k))]
        return apply("tf_in_top_k", "InTopKV2", None, inputs, {"k": int(k)}, same_type=False, constants=constants)


def dropout(
    x: Any, keep_prob: Any = None, noise_shape: Any = None, seed: Any = None, name: str | None = None, rate: Any = None
) -> Tensor:
    """Each element is dropped with probability ``rate`` (1 - ``keep_prob``); the others grow by 1 / (1 - rate)."""
    from engine.dialects.tensorflow.array_ops import shape
    from engine.dialects.tensorflow.creation import constant
    from engine.dialects.tensorflow.random_ops import random_uniform

    tensor = convert(x, name="x")
    drop = rate
    if rate is None:
        drop = 1.0 - keep_prob if not isinstance(keep_prob, Tensor) else math_ops.subtract(1.0, keep_prob, name="sub")
    if isinstance(drop, int | float) and not 0 <= drop < 1:
        raise ValueError(f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={drop}")
    if isinstance(drop, int | float) and drop == 0:
        return tensor
    with tensor.graph.name_scope(name or "dropout"):
        kind = tensor.dtype.base_dtype
        if isinstance(drop, Tensor):
            keep = math_ops.subtract(constant(1.0, kind), drop)
            scaled = apply("div", "RealDiv", None, [("x", tensor), ("y", keep)])
        else:
            scaled = math_ops.multiply(tensor, constant(1.0 / (1.0 - drop), kind))
        sizes = shape(tensor) if noise_shape is None else noise_shape
        noise = random_uniform(sizes, seed=seed, dtype=kind)
        mask = math_ops.greater_equal(noise, drop)
        zero = constant(0.0, kind)
        operands = [("condition", mask), ("t", scaled), ("e", zero)]
        return apply("where", "SelectV2", None, operands, same_type=False, type=tensor._node.type)


def embedding_lookup(
    params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None, **_more: Any
) -> Tensor:
    from engine.dialects.tensorflow.array_ops import identity
    from engine.dialects.tensorflow.indexing_ops import look_up

    table = params[0] if isinstance(params, list | tuple) and len(params) == 1 else params
    if isinstance(table, list | tuple):
        raise NotImplementedError("tf.nn.embedding_lookup: this teaching engine has tables in one part")
    found = look_up(table, ids, name or "embedding_lookup")
    with found.graph.name_scope(f"{found.op.name}/"):
        return identity(found)


def moments(
    x: Any, axes: Any, shift: Any = None, name: str | None = None, keep_dims: Any = None, keepdims: Any = None
) -> Any:
    """Mean and variance over ``axes``."""
    tensor = convert(x)
    keep = bool(keepdims or keep_dims)
    with tensor.graph.name_scope(name or "moments"):
        mean = reductions.reduce_mean(tensor, axes, keepdims=True, name="mean")
        from engine.dialects.tensorflow.array_ops import squeeze, stop_gradient

        distance = math_ops.squared_difference(tensor, stop_gradient(mean))
        variance = reductions.reduce_mean(distance, axes, keepdims=True, name="variance")
        if keep:
            return mean, variance
        return squeeze(mean, axes), squeeze(variance, axes)
