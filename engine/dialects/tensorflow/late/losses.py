"""``tf.losses`` while executing eagerly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.tensorflow.eager import nn_ops
from engine.dialects.tensorflow.eager.math_ops import FUNCTIONS as F
from engine.dialects.tensorflow.eager.tensor import convert


def _mean(each: Any, weights: Any) -> Any:
    """The mean over those with a weight."""
    if isinstance(weights, int | float) and weights == 1:
        return F["reduce_mean"](each)
    factor = convert(weights)
    total = F["reduce_sum"](F["multiply"](each, factor))
    held = F["cast"](F["not_equal"](F["add"](F["multiply"](each, 0.0), factor), 0.0), "float32")
    return F["divide"](total, F["maximum"](F["reduce_sum"](held), 1.0))


def mean_squared_error(labels: Any, predictions: Any, weights: Any = 1.0, scope: Any = None, **_more: Any) -> Any:
    guess = convert(predictions)
    return _mean(F["square"](F["subtract"](guess, F["cast"](convert(labels), guess.dtype))), weights)


def absolute_difference(labels: Any, predictions: Any, weights: Any = 1.0, scope: Any = None, **_more: Any) -> Any:
    guess = convert(predictions)
    return _mean(F["abs"](F["subtract"](guess, F["cast"](convert(labels), guess.dtype))), weights)


def softmax_cross_entropy(onehot_labels: Any, logits: Any, weights: Any = 1.0, **_more: Any) -> Any:
    scores = convert(logits)
    truth = F["cast"](convert(onehot_labels), scores.dtype)
    return _mean(nn_ops.softmax_cross_entropy_with_logits(labels=truth, logits=scores), weights)


def sparse_softmax_cross_entropy(labels: Any, logits: Any, weights: Any = 1.0, **_more: Any) -> Any:
    return _mean(nn_ops.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits), weights)


def sigmoid_cross_entropy(multi_class_labels: Any, logits: Any, weights: Any = 1.0, **_more: Any) -> Any:
    scores = convert(logits)
    truth = F["cast"](convert(multi_class_labels), scores.dtype)
    return _mean(nn_ops.sigmoid_cross_entropy_with_logits(labels=truth, logits=scores), weights)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (
        mean_squared_error, absolute_difference, softmax_cross_entropy, sparse_softmax_cross_entropy,
        sigmoid_cross_entropy,
    )
}  # fmt: skip
