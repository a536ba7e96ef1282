"""``tf.metrics``: numbers gathered over many runs in local variables. Each gives (value, op that takes in a batch)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops
from engine.dialects.tensorflow.array_ops import identity, reshape
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.creation import constant, ones_like
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.losses import div_no_nan
from engine.dialects.tensorflow.reductions import reduce_sum
from engine.dialects.tensorflow.scopes import variable_scope
from engine.dialects.tensorflow.variables import Variable, assign_add

Metric = tuple[Tensor, Tensor]


def _local(name: str, *shape: int) -> Variable:
    start = np.zeros(shape, np.float32)
    return Variable(start, trainable=False, collections=["local_variables", "metric_variables"], name=name)


def _noted(value: Tensor, update: Tensor, metrics_collections: Any, updates_collections: Any) -> Metric:
    graph = value.graph
    for names, item in ((metrics_collections, value), (updates_collections, update)):
        if names:
            graph.add_to_collections(names, item)
    return value, update


def mean(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> Metric:  # fmt: skip
    """The mean of all values seen."""
    with variable_scope(name, "mean"):
        found = cast(convert(values), "float32")
        return _noted(*_mean(found, weights), metrics_collections, updates_collections)


def _mean(values: Tensor, weights: Any) -> Metric:
    total, count = _local("total"), _local("count")
    if weights is None:
        size = values.shape.num_elements() if values.shape.is_fully_defined() else None
        number: Any = reduce_sum(ones_like(values)) if size is None else constant(np.float32(size))
    else:
        factor = math_ops.multiply(ones_like(values), cast(weights, "float32"))
        values, number = math_ops.multiply(values, factor), reduce_sum(factor)
    new_total = assign_add(total, reduce_sum(values))
    with get_default_graph().control_dependencies([values]):
        new_count = assign_add(count, number)
    return div_no_nan(total, count, name="value"), div_no_nan(new_total, new_count, name="update_op")


def accuracy(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """How often predictions were right."""
    with variable_scope(name, "accuracy"):
        guess = convert(predictions)
        truth = cast(convert(labels), guess.dtype.base_dtype)
        if not guess.shape.is_compatible_with(truth.shape):
            raise ValueError(f"Shapes {guess.shape} and {truth.shape} are incompatible")
        right = cast(math_ops.equal(guess, truth), "float32")
        return _noted(*_mean(right, weights), metrics_collections, updates_collections)


def _count(holds: Tensor, name: str, weights: Any) -> tuple[Variable, Tensor]:
    with variable_scope(name):
        total = _local("count")
        seen = cast(holds, "float32")
        if weights is not None:
            seen = math_ops.multiply(seen, cast(weights, "float32"))
        return total, assign_add(total, reduce_sum(seen))


def _share(
    labels: Any,
    predictions: Any,
    weights: Any,
    collections: tuple[Any, Any],
    name: str | None,
    default: str,
    other: str,
) -> Metric:
    """True positives among them and ``other``."""
    with variable_scope(name, default):
        truth, guess = cast(convert(labels), "bool"), cast(convert(predictions), "bool")
        hits, more_hits = _count(math_ops.logical_and(truth, guess), "true_positives", weights)
        wrong = (
            math_ops.logical_and(math_ops.logical_not(truth), guess)
            if other == "false_positives"
            else math_ops.logical_and(truth, math_ops.logical_not(guess))
        )
        misses, more_misses = _count(wrong, other, weights)
        value = div_no_nan(hits, math_ops.add(hits, misses), name="value")
        update = div_no_nan(more_hits, math_ops.add(more_hits, more_misses), name="update_op")
        return _noted(value, update, *collections)


def precision(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """How many of those called positive are."""
    both = (metrics_collections, updates_collections)
    return _share(labels, predictions, weights, both, name, "precision", "false_positives")


def recall(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """How many of the positive were called so."""
    both = (metrics_collections, updates_collections)
    return _share(labels, predictions, weights, both, name, "recall", "false_negatives")


def mean_squared_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """The mean of squared differences."""
    guess = cast(convert(predictions), "float32")
    apart = math_ops.squared_difference(cast(convert(labels), "float32"), guess)
    return mean(apart, weights, metrics_collections, updates_collections, name or "mean_squared_error")


def mean_absolute_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """The mean of absolute differences."""
    guess = cast(convert(predictions), "float32")
    apart = math_ops.abs_(math_ops.subtract(guess, cast(convert(labels), "float32")))
    return mean(apart, weights, metrics_collections, updates_collections, name or "mean_absolute_error")


def root_mean_squared_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """The root of the mean of squared differences."""
    value, update = mean_squared_error(labels, predictions, weights, None, None, name or "root_mean_squared_error")
    return _noted(math_ops.sqrt(value), math_ops.sqrt(update), metrics_collections, updates_collections)


def _counter(kind: str) -> Any:
    """``tf.metrics.true_positives`` and its kin."""
    truth_is, guess_is = {
        "true_positives": (True, True), "false_positives": (False, True), "true_negatives": (False, False),
        "false_negatives": (True, False),
    }[kind]  # fmt: skip

    def metric(
        labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
        updates_collections: Any = None, name: str | None = None,
    ) -> Metric:  # fmt: skip
        with variable_scope(name, kind):
            truth, guess = cast(convert(labels), "bool"), cast(convert(predictions), "bool")
            holds = math_ops.logical_and(
                truth if truth_is else math_ops.logical_not(truth), guess if guess_is else math_ops.logical_not(guess)
            )
            total = _local("count")
            seen = cast(holds, "float32")
            if weights is not None:
                seen = math_ops.multiply(seen, cast(weights, "float32"))
            update = assign_add(total, reduce_sum(seen))
            return _noted(identity(total), update, metrics_collections, updates_collections)

    metric.__name__ = kind
    return metric


def auc(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: int = 200, metrics_collections: Any = None,
    updates_collections: Any = None, curve: str = "ROC", name: str | None = None,
    summation_method: str = "trapezoidal", thresholds: Any = None,
) -> Metric:  # fmt: skip
    """The area under the curve of hits over false alarms, from ``num_thresholds`` of its points."""
    if curve != "ROC" or summation_method != "trapezoidal":
        raise NotImplementedError("tf.metrics.auc: this teaching engine has the ROC curve, summed by trapezoids")
    inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)] if thresholds is None else thresholds
    limits = np.array([-1e-7, *sorted(inner), 1.0 + 1e-7], np.float32)[:, None]
    with variable_scope(name, "auc"):
        truth = reshape(cast(convert(labels), "bool"), [1, -1])
        guess = math_ops.greater(reshape(cast(convert(predictions), "float32"), [1, -1]), limits)
        share = None if weights is None else reshape(cast(weights, "float32"), [1, -1])
        totals, updates = [], []
        for kind, is_true, is_called in (
            ("true_positives", True, True), ("false_negatives", True, False),
            ("true_negatives", False, False), ("false_positives", False, True),
        ):  # fmt: skip
            held = math_ops.logical_and(
                truth if is_true else math_ops.logical_not(truth),
                guess if is_called else math_ops.logical_not(guess),
            )
            seen = cast(held, "float32")
            total = _local(kind, len(limits))
            totals.append(total)
            updates.append(assign_add(total, reduce_sum(seen if share is None else math_ops.multiply(seen, share), 1)))
        return _noted(_area(totals, "value"), _area(updates, "update_op"), metrics_collections, updates_collections)


def _area(counts: Sequence[Any], name: str) -> Tensor:
    """Under the curve whose points the counts of true and false positives and negatives give."""
    hits, misses, rests, alarms = counts
    small = 1e-6
    y = math_ops.truediv(hits + small, hits + misses + small)
    x = math_ops.truediv(alarms, alarms + rests + small)
    return reduce_sum((x[:-1] - x[1:]) * ((y[:-1] + y[1:]) / 2.0), name=name)


EXPORTED = {
    "mean": mean, "accuracy": accuracy, "precision": precision, "recall": recall,
    "mean_squared_error": mean_squared_error, "mean_absolute_error": mean_absolute_error,
    "root_mean_squared_error": root_mean_squared_error, "auc": auc,
    **{kind: _counter(kind) for kind in ("true_positives", "false_positives", "true_negatives", "false_negatives")},
}  # fmt: skip
