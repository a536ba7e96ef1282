"""Metrics that average a function: accuracies, errors, losses as metrics."""

from __future__ import annotations

import inspect
from typing import Any

from engine.dialects.tensorflow.keras.both import array_ops, dtype_of, math_ops
from engine.dialects.tensorflow.keras.losses import functions
from engine.dialects.tensorflow.keras.metrics.base import Mean, MeanMetricWrapper, tensor_of

_M = math_ops.FUNCTIONS


def _as_ones(hits: Any) -> Any:
    return math_ops.cast(hits, "float32")


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """Whether each is as it should be."""
    pred = tensor_of(y_pred)
    true = math_ops.cast(tensor_of(y_true), str(dtype_of(pred)))
    return _as_ones(_M["equal"](*functions.same_rank(true, pred)))


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Any:
    """Whether each is on the right side of ``threshold``."""
    true, pred = functions.same_rank(functions.as_floats(y_true), functions.as_floats(y_pred))
    return _as_ones(_M["equal"](true, math_ops.cast(_M["greater"](pred, float(threshold)), str(dtype_of(true)))))


def categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Whether the largest is where the label's is."""
    return _as_ones(_M["equal"](_M["argmax"](tensor_of(y_true), -1), _M["argmax"](tensor_of(y_pred), -1)))


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Whether the largest is at the label's number."""
    true, pred = tensor_of(y_true), tensor_of(y_pred)
    if len(true.shape) == len(pred.shape) and true.shape[-1] == 1:
        true = array_ops.squeeze(true, -1)
    found = _M["argmax"](pred, -1)
    return _as_ones(_M["equal"](math_ops.cast(true, "int64"), found))


def _in_top(classes: Any, pred: Any, k: int) -> Any:
    pred = math_ops.cast(pred, "float32")
    own = _M["reduce_sum"](_M["multiply"](array_ops.one_hot(classes, pred.shape[-1]), pred), -1, True)
    above = _M["reduce_sum"](math_ops.cast(_M["greater"](pred, own), "int32"), -1)
    return _as_ones(_M["less"](above, k))


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Any:
    """Whether the label is among the ``k`` largest."""
    return _in_top(_M["argmax"](tensor_of(y_true), -1), tensor_of(y_pred), k)


def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5, from_sorted_ids: bool = False) -> Any:
    """Whether the label's number is among those of the ``k`` largest."""
    true, pred = tensor_of(y_true), tensor_of(y_pred)
    if len(true.shape) == len(pred.shape) and true.shape[-1] == 1:
        true = array_ops.squeeze(true, -1)
    return _in_top(true, pred, k)


def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    return _M["negative"](functions.cosine_similarity(y_true, y_pred, axis))


FUNCTIONS = {
    f.__name__: f for f in (
        binary_accuracy, categorical_accuracy, sparse_categorical_accuracy, top_k_categorical_accuracy,
        sparse_top_k_categorical_accuracy,
    )
} | functions.FUNCTIONS  # fmt: skip


def _averaging(class_name: str, metric_name: str, function: Any) -> type[MeanMetricWrapper]:
    settings = [p for p in inspect.signature(function).parameters.values() if p.name not in ("y_true", "y_pred")]
    own = [p.name for p in settings]
    order = (
        [own[0], "name", "dtype", *own[1:]] if class_name.endswith("KCategoricalAccuracy") else
        ["name", "dtype", *own]
    )  # fmt: skip

    def initialize(self: Any, *arguments: Any, **options: Any) -> None:
        given = dict(zip(order, arguments, strict=False)) | options
        unknown = [name for name in given if name not in order]
        if unknown:
            raise TypeError(f"{class_name}.__init__() got an unexpected keyword argument '{unknown[0]}'")
        chosen = {p.name: given.pop(p.name, p.default) for p in settings}
        given.setdefault("name", metric_name)
        MeanMetricWrapper.__init__(self, function, **given, **chosen)
        for name, value in chosen.items():
            setattr(self, name, value)

    return type(class_name, (MeanMetricWrapper,), {"__init__": initialize, "__module__": "keras.src.metrics"})


CLASSES: dict[str, Any] = {
    class_name: _averaging(class_name, name, function) for class_name, name, function in (
        ("Accuracy", "accuracy", accuracy), ("BinaryAccuracy", "binary_accuracy", binary_accuracy),
        ("CategoricalAccuracy", "categorical_accuracy", categorical_accuracy),
        ("SparseCategoricalAccuracy", "sparse_categorical_accuracy", sparse_categorical_accuracy),
        ("TopKCategoricalAccuracy", "top_k_categorical_accuracy", top_k_categorical_accuracy),
        ("SparseTopKCategoricalAccuracy", "sparse_top_k_categorical_accuracy", sparse_top_k_categorical_accuracy),
        ("MeanSquaredError", "mean_squared_error", functions.mean_squared_error),
        ("MeanAbsoluteError", "mean_absolute_error", functions.mean_absolute_error),
        ("MeanAbsolutePercentageError", "mean_absolute_percentage_error", functions.mean_absolute_percentage_error),
        ("MeanSquaredLogarithmicError", "mean_squared_logarithmic_error", functions.mean_squared_logarithmic_error),
        ("CosineSimilarity", "cosine_similarity", cosine_similarity), ("LogCoshError", "logcosh", functions.log_cosh),
        ("Hinge", "hinge", functions.hinge), ("SquaredHinge", "squared_hinge", functions.squared_hinge),
        ("CategoricalHinge", "categorical_hinge", functions.categorical_hinge),
        ("KLDivergence", "kl_divergence", functions.kl_divergence), ("Poisson", "poisson", functions.poisson),
        ("BinaryCrossentropy", "binary_crossentropy", functions.binary_crossentropy),
        ("CategoricalCrossentropy", "categorical_crossentropy", functions.categorical_crossentropy),
        ("SparseCategoricalCrossentropy", "sparse_categorical_crossentropy",
         functions.sparse_categorical_crossentropy),
    )
}  # fmt: skip


class RootMeanSquaredError(Mean):
    """The root of the mean of squares."""

    def __init__(self, name: str | None = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        true, pred = functions.same_rank(functions.as_floats(y_true), functions.as_floats(y_pred))
        super().update_state(_M["square"](_M["subtract"](true, pred)), sample_weight)

    def result(self) -> Any:
        return _M["sqrt"](super().result())


CLASSES["RootMeanSquaredError"] = RootMeanSquaredError
