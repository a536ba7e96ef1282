"""``tf.contrib.layers`` and ``tf.contrib.framework.arg_scope``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from engine.dialects.tensorflow import layers, math_ops, nn_ops, norm_layers, reductions
from engine.dialects.tensorflow.array_ops import identity
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.initializers import GlorotNormal, GlorotUniform, VarianceScaling, Zeros
from engine.dialects.tensorflow.scopes import get_variable, variable_scope

_scopes: list[dict[Any, dict[str, Any]]] = []


@contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[dict[Any, dict[str, Any]]]:
    """Other defaults for arguments of the functions listed, inside the block."""
    current = dict(_scopes[-1]) if _scopes else {}
    if isinstance(list_ops_or_scope, dict):
        current = dict(list_ops_or_scope)
    else:
        for function in list_ops_or_scope:
            key = getattr(function, "_arg_scope_key", None)
            if key is None:
                raise ValueError(f"{function} is not decorated with @add_arg_scope")
            current[key] = {**current.get(key, {}), **kwargs}
    _scopes.append(current)
    try:
        yield current
    finally:
        _scopes.pop()


def add_arg_scope(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let :func:`arg_scope` change the defaults of ``function``."""

    @wraps(function)
    def scoped(*args: Any, **kwargs: Any) -> Any:
        defaults = _scopes[-1].get(scoped, {}) if _scopes else {}
        return function(*args, **{**defaults, **kwargs})

    scoped.__dict__["_arg_scope_key"] = scoped
    return scoped


def xavier_initializer(uniform: bool = True, seed: Any = None, dtype: Any = "float32") -> Any:
    """Glorot and Bengio's initialiser."""
    return (GlorotUniform if uniform else GlorotNormal)(seed=seed)


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: Any = None, dtype: Any = "float32"
) -> Any:
    """He and others' initialiser."""
    kind = "uniform" if uniform else "truncated_normal"
    return VarianceScaling(scale=factor, mode=mode.lower(), distribution=kind, seed=seed)


def l2_regularizer(scale: float, scope: Any = None) -> Callable[[Any], Any]:
    """``scale * sum(weights ** 2) / 2``."""
    return lambda weights: math_ops.multiply(convert(scale, "float32"), nn_ops.l2_loss(weights))


def l1_regularizer(scale: float, scope: Any = None) -> Callable[[Any], Any]:
    """``scale * sum(abs(weights))``."""
    return lambda weights: math_ops.multiply(convert(scale, "float32"), reductions.reduce_sum(math_ops.abs_(weights)))


@add_arg_scope
def fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Any = nn_ops.relu,
    normalizer_fn: Any = None,
    normalizer_params: Any = None,
    weights_initializer: Any = None,
    weights_regularizer: Any = None,
    biases_initializer: Any = Zeros(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Tensor:
    """``activation_fn(inputs @ weights + biases)``."""
    tensor = convert(inputs)
    with variable_scope(scope, default_name="fully_connected", reuse=reuse):
        shape = [layers.last_size(tensor, "`Dense`"), int(num_outputs)]
        initial = weights_initializer or xavier_initializer()
        weights = get_variable("weights", shape, "float32", initial, weights_regularizer, trainable)
        bias = None
        if normalizer_fn is None and biases_initializer is not None:
            bias = get_variable("biases", shape[1:], "float32", biases_initializer, biases_regularizer, trainable)
        found = layers.affine(tensor, weights, bias)
        if normalizer_fn is not None:
            found = normalizer_fn(found, **(normalizer_params or {}))
        if activation_fn is not None:
            found = activation_fn(found)
        if outputs_collections:
            get_default_graph().add_to_collections(outputs_collections, found)
        return found


linear = add_arg_scope(lambda *args, **kwargs: fully_connected(*args, **{"activation_fn": None, **kwargs}))
relu = add_arg_scope(lambda *args, **kwargs: fully_connected(*args, **{"activation_fn": nn_ops.relu, **kwargs}))


@add_arg_scope
def dropout(
    inputs: Any,
    keep_prob: Any = 0.5,
    noise_shape: Any = None,
    is_training: Any = True,
    outputs_collections: Any = None,
    scope: Any = None,
    seed: Any = None,
) -> Tensor:
    """``inputs`` with elements dropped while training."""
    tensor = convert(inputs)
    with variable_scope(scope, default_name="Dropout"):
        return layers.smart_cond(  # type: ignore[no-any-return]
            is_training,
            lambda: nn_ops.dropout(tensor, keep_prob, noise_shape, seed),
            lambda: identity(tensor),
        )


@add_arg_scope
def batch_norm(
    inputs: Any,
    decay: float = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Any = None,
    updates_collections: Any = "update_ops",
    is_training: Any = True,
    reuse: Any = None,
    trainable: bool = True,
    scope: Any = None,
    **_options: Any,
) -> Tensor:
    """Batch normalisation of the last axis; without ``updates_collections`` its updates run with it."""
    tensor = convert(inputs)
    layer = norm_layers.BatchNormalization(-1, decay, epsilon, center, scale, trainable=trainable)
    layer._default = "BatchNorm"
    layer._given = scope
    if updates_collections is None:
        kept = list(get_default_graph().get_collection("update_ops"))
    found = layer(tensor, training=is_training, _reuse=reuse)
    if updates_collections is None:
        graph = get_default_graph()
        graph.get_collection_ref("update_ops")[:] = kept
        with graph.control_dependencies(layer.updates):
            found = identity(found)
    return found if activation_fn is None else activation_fn(found)


def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> Tensor:
    """All axes but the first as one."""
    tensor = convert(inputs)
    with get_default_graph().name_scope("Flatten"):
        return layers.flat(tensor)


EXPORTED = {
    "fully_connected": fully_connected, "linear": linear, "relu": relu, "dropout": dropout, "batch_norm": batch_norm,
    "flatten": flatten, "xavier_initializer": xavier_initializer,
    "xavier_initializer_conv2d": xavier_initializer_conv2d,
    "variance_scaling_initializer": variance_scaling_initializer, "l1_regularizer": l1_regularizer,
    "l2_regularizer": l2_regularizer,
}  # fmt: skip
