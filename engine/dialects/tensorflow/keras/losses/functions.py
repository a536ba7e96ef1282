"""Loss functions: a number for each example."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import convert, run
from engine.dialects.tensorflow.keras import marks, state
from engine.dialects.tensorflow.keras.both import array_ops, dtype_of, is_tensor, math_ops, nn_ops

_M = math_ops.FUNCTIONS


def _pair(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Both as tensors of the prediction's dtype and rank."""
    pred = as_floats(y_pred)
    true = convert(y_true)
    if dtype_of(true) != dtype_of(pred):
        true = math_ops.cast(true, str(dtype_of(pred)))
    return same_rank(true, pred)


def as_floats(value: Any) -> Any:
    tensor = value if is_tensor(value) else convert(np.asarray(value))
    kind = dtype_of(tensor)
    if kind.kind not in "fc":
        tensor = math_ops.cast(tensor, state.floatx())
    return tensor


def same_rank(a: Any, b: Any) -> tuple[Any, Any]:
    """A last size of 1 is added to a row of numbers, or else taken off, where the ranks differ by one."""
    first, second = len(a.shape), len(b.shape)
    if first == second + 1 and a.shape[-1] == 1:
        return (a, array_ops.expand_dims(b, -1)) if second == 1 else (array_ops.squeeze(a, -1), b)
    if second == first + 1 and b.shape[-1] == 1:
        return (array_ops.expand_dims(a, -1), b) if first == 1 else (a, array_ops.squeeze(b, -1))
    return a, b


def _mean(x: Any) -> Any:
    return _M["reduce_mean"](x, -1)


def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    return _mean(_M["square"](_M["subtract"](true, pred)))


def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    return _mean(_M["abs"](_M["subtract"](true, pred)))


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    size = _M["maximum"](_M["abs"](true), state.epsilon())
    return _M["multiply"](_mean(_M["abs"](_M["divide"](_M["subtract"](true, pred), size))), 100.0)


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    logs = [_M["log"](_M["add"](_M["maximum"](x, state.epsilon()), 1.0)) for x in (pred, true)]
    return _mean(_M["square"](_M["subtract"](*logs)))


def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    true, pred = (_unit(x, axis) for x in _pair(y_true, y_pred))
    return _M["negative"](_M["reduce_sum"](_M["multiply"](true, pred), axis))


def _unit(x: Any, axis: int) -> Any:
    length = _M["maximum"](_M["reduce_sum"](_M["square"](x), axis, True), 1e-12)
    return _M["multiply"](x, _M["rsqrt"](length))


def log_cosh(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    x = _M["subtract"](pred, true)
    return _mean(_M["subtract"](_M["add"](x, nn_ops.softplus(_M["multiply"](x, -2.0))), float(np.log(2.0))))


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Any:
    true, pred = _pair(y_true, y_pred)
    size = _M["abs"](_M["subtract"](true, pred))
    near = _M["multiply"](_M["square"](size), 0.5)
    far = _M["subtract"](_M["multiply"](size, float(delta)), 0.5 * float(delta) ** 2)
    return _mean(array_ops.where(_M["less_equal"](size, float(delta)), near, far))


def _signs(true: Any) -> Any:
    """Labels of 0 and 1 as -1 and 1."""
    bits = _M["logical_or"](_M["equal"](true, 0.0), _M["equal"](true, 1.0))
    return array_ops.where(_M["reduce_all"](bits), _M["subtract"](_M["multiply"](true, 2.0), 1.0), true)


def hinge(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    return _mean(nn_ops.relu(_M["subtract"](1.0, _M["multiply"](_signs(true), pred))))


def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    return _mean(_M["square"](nn_ops.relu(_M["subtract"](1.0, _M["multiply"](_signs(true), pred)))))


def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    positive = _M["reduce_sum"](_M["multiply"](true, pred), -1)
    negative = _M["reduce_max"](_M["multiply"](_M["subtract"](1.0, true), pred), -1)
    return nn_ops.relu(_M["add"](_M["subtract"](negative, positive), 1.0))


def kl_divergence(y_true: Any, y_pred: Any) -> Any:
    true, pred = (_clipped(x, state.epsilon(), 1.0) for x in _pair(y_true, y_pred))
    return _M["reduce_sum"](_M["multiply"](true, _M["log"](_M["divide"](true, pred))), -1)


def poisson(y_true: Any, y_pred: Any) -> Any:
    true, pred = _pair(y_true, y_pred)
    return _mean(_M["subtract"](pred, _M["multiply"](true, _M["log"](_M["add"](pred, state.epsilon())))))


def _clipped(x: Any, low: float, high: float) -> Any:
    return run("clip", "ClipByValue", x, low=low, high=high)


def _scores(pred: Any, from_logits: bool, made_by: str, name: str) -> tuple[Any, bool]:
    """What a softmax or sigmoid was made of, if that is known: its logarithm is exact then."""
    scores = marks.get(pred, "logits")
    if scores is None:
        return pred, from_logits
    if from_logits:
        warnings.warn(
            f'"`{name}` received `from_logits=True`, but the `output` argument was produced by a {made_by} activation '
            "and thus does not represent logits. Was this intended?",
            stacklevel=4,
        )
    return scores, True


def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Any:
    true, pred = convert(y_true), as_floats(y_pred)
    if dtype_of(true) != dtype_of(pred):
        true = math_ops.cast(true, str(dtype_of(pred)))
    if true.shape[-1] == 1:
        warnings.warn(
            "In loss categorical_crossentropy, expected y_pred.shape to be (batch_size, num_classes) with num_classes "
            f"> 1. Received: y_pred.shape={tuple(pred.shape)}. Consider using 'binary_crossentropy' if you only have 2 "
            "classes.",
            stacklevel=3,
        )
    if label_smoothing:
        count = float(true.shape[-1])
        true = _M["add"](_M["multiply"](true, 1.0 - label_smoothing), label_smoothing / count)
    if len(true.shape) != len(pred.shape):
        raise ValueError(
            "Arguments `target` and `output` must have the same rank (ndim). Received: target.shape="
            f"{tuple(true.shape)}, output.shape={tuple(pred.shape)}"
        )
    for a, b in zip(true.shape, pred.shape, strict=True):
        if a is not None and b is not None and a != b:
            raise ValueError(
                f"Arguments `target` and `output` must have the same shape. Received: "
                f"target.shape={tuple(true.shape)}, output.shape={tuple(pred.shape)}"
            )
    scores, logits = _scores(pred, from_logits, "Softmax", "categorical_crossentropy")
    if logits:
        return nn_ops.softmax_cross_entropy_with_logits(labels=true, logits=scores)
    shares = _M["divide"](pred, _M["reduce_sum"](pred, axis, True))
    logs = _M["log"](_clipped(shares, state.epsilon(), 1.0 - state.epsilon()))
    return _M["negative"](_M["reduce_sum"](_M["multiply"](true, logs), axis))


def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, ignore_class: Any = None, axis: int = -1
) -> Any:
    true, pred = convert(y_true), as_floats(y_pred)
    if len(true.shape) == len(pred.shape) and true.shape[-1] == 1:
        true = array_ops.squeeze(true, -1)
    if dtype_of(true).kind not in "iu" or dtype_of(true).itemsize < 4:
        true = math_ops.cast(true, "int64")
    if len(pred.shape) < 1:
        raise ValueError(f"Argument `output` must be at least rank 1. Received: output.shape={tuple(pred.shape)}")
    if len(true.shape) != len(pred.shape) - 1:
        raise ValueError(
            "Argument `output` must have rank (ndim) `target.ndim - 1`. Received: "
            f"target.shape={tuple(true.shape)}, output.shape={tuple(pred.shape)}"
        )
    for a, b in zip(true.shape, pred.shape[:-1], strict=True):
        if a is not None and b is not None and a != b:
            raise ValueError(
                "Arguments `target` and `output` must have the same shape up until the last dimension: "
                f"target.shape={tuple(true.shape)}, output.shape={tuple(pred.shape)}"
            )
    left_out = None
    if ignore_class is not None:
        left_out = _M["equal"](true, int(ignore_class))
        true = array_ops.where(left_out, array_ops.zeros_like(true), true)
    scores, logits = _scores(pred, from_logits, "Softmax", "sparse_categorical_crossentropy")
    if not logits:
        scores = _M["log"](_clipped(scores, state.epsilon(), 1.0 - state.epsilon()))
    result = nn_ops.sparse_softmax_cross_entropy_with_logits(labels=true, logits=scores)
    if left_out is not None:
        result = array_ops.where(left_out, array_ops.zeros_like(result), result)
        marks.put(result, "mask", _M["logical_not"](left_out))
    return result


def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Any:
    true, pred = convert(y_true), as_floats(y_pred)
    if dtype_of(true) != dtype_of(pred):
        true = math_ops.cast(true, str(dtype_of(pred)))
    if label_smoothing:
        true = _M["add"](_M["multiply"](true, 1.0 - label_smoothing), 0.5 * label_smoothing)
    return _M["reduce_mean"](_binary(true, pred, from_logits), axis)


def _binary(true: Any, pred: Any, from_logits: bool) -> Any:
    if len(true.shape) != len(pred.shape):
        raise ValueError(
            "Arguments `target` and `output` must have the same rank (ndim). Received: target.shape="
            f"{tuple(true.shape)}, output.shape={tuple(pred.shape)}"
        )
    for a, b in zip(true.shape, pred.shape, strict=True):
        if a is not None and b is not None and a != b:
            raise ValueError(
                f"Arguments `target` and `output` must have the same shape. Received: "
                f"target.shape={tuple(true.shape)}, output.shape={tuple(pred.shape)}"
            )
    scores, logits = _scores(pred, from_logits, "Sigmoid", "binary_crossentropy")
    if logits:
        return nn_ops.sigmoid_cross_entropy_with_logits(labels=true, logits=scores)
    chance = _clipped(pred, state.epsilon(), 1.0 - state.epsilon())
    hit = _M["multiply"](true, _M["log"](chance))
    miss = _M["multiply"](_M["subtract"](1.0, true), _M["log"](_M["subtract"](1.0, chance)))
    return _M["negative"](_M["add"](hit, miss))


def binary_focal_crossentropy(
    y_true: Any, y_pred: Any, apply_class_balancing: bool = False, alpha: float = 0.25, gamma: float = 2.0,
    from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
) -> Any:  # fmt: skip
    true, pred = _pair(y_true, y_pred)
    if label_smoothing:
        true = _M["add"](_M["multiply"](true, 1.0 - label_smoothing), 0.5 * label_smoothing)
    chance = _M["sigmoid"](pred) if from_logits else pred
    entropy = _binary(true, chance, False)
    hit = _M["add"](_M["multiply"](true, chance),
                    _M["multiply"](_M["subtract"](1.0, true), _M["subtract"](1.0, chance)))  # fmt: skip
    result = _M["multiply"](_M["pow"](_M["subtract"](1.0, hit), float(gamma)), entropy)
    if apply_class_balancing:
        weight = _M["add"](_M["multiply"](true, alpha), _M["multiply"](_M["subtract"](1.0, true), 1 - alpha))
        result = _M["multiply"](weight, result)
    return _M["reduce_mean"](result, axis)


def dice(y_true: Any, y_pred: Any, axis: Any = None) -> Any:
    true, pred = _pair(y_true, y_pred)
    overlap = _M["reduce_sum"](_M["multiply"](true, pred), axis)
    total = _M["add"](_M["add"](_M["reduce_sum"](true, axis), _M["reduce_sum"](pred, axis)), state.epsilon())
    return _M["subtract"](1.0, _M["divide"](_M["multiply"](overlap, 2.0), total))


FUNCTIONS = {
    f.__name__: f for f in (
        mean_squared_error, mean_absolute_error, mean_absolute_percentage_error, mean_squared_logarithmic_error,
        cosine_similarity, log_cosh, huber, hinge, squared_hinge, categorical_hinge, kl_divergence, poisson,
        categorical_crossentropy, sparse_categorical_crossentropy, binary_crossentropy, binary_focal_crossentropy,
        dice,
    )
}  # fmt: skip
ALIASES = {
    "mse": mean_squared_error, "MSE": mean_squared_error, "mae": mean_absolute_error, "MAE": mean_absolute_error,
    "mape": mean_absolute_percentage_error, "MAPE": mean_absolute_percentage_error,
    "msle": mean_squared_logarithmic_error, "MSLE": mean_squared_logarithmic_error, "bce": binary_crossentropy,
    "BCE": binary_crossentropy, "kld": kl_divergence, "KLD": kl_divergence,
}  # fmt: skip
