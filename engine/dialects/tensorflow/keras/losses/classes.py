"""``keras.losses.Loss`` and the losses that wrap a function."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.keras import marks, nest, state
from engine.dialects.tensorflow.keras.both import array_ops, dtype_of, is_tensor, math_ops
from engine.dialects.tensorflow.keras.losses import functions
from engine.dialects.tensorflow.keras.serialization import family, getter, serialize

_M = math_ops.FUNCTIONS
_REDUCTIONS = ("sum_over_batch_size", "sum", None, "none", "mean", "mean_with_sample_weight")


def reduced(values: Any, sample_weight: Any = None, mask: Any = None, reduction: Any = "sum_over_batch_size") -> Any:
    """The loss of a batch from those of its examples."""
    values = convert(values)
    kind = str(dtype_of(values))
    if mask is not None:
        present = math_ops.cast(mask, kind)
        if reduction in ("mean", "sum_over_batch_size"):
            total = float(np.prod(mask.shape))
            present = _M["multiply"](present, math_ops.divide_no_nan(total, _M["reduce_sum"](present)))
        if sample_weight is not None:
            weight, present = functions.same_rank(math_ops.cast(convert(sample_weight), kind), present)
            sample_weight = _M["multiply"](weight, present)
        else:
            sample_weight = present
    weight = None
    if sample_weight is not None:
        weight = math_ops.cast(convert(sample_weight), kind)
        values, weight = functions.same_rank(values, weight)
        values = _M["multiply"](values, weight)
    if reduction in (None, "none") or not values.shape or tuple(values.shape) == (0,):
        return values
    if reduction == "sum":
        return _M["reduce_sum"](values)
    if reduction == "mean_with_sample_weight" and weight is not None:
        return math_ops.divide_no_nan(_M["reduce_sum"](values), _M["reduce_sum"](weight))
    return _M["reduce_mean"](values)


class Loss:
    """Called with labels and predictions it gives the loss of a batch."""

    __module__ = "keras.src.losses.loss"

    def __init__(self, name: str | None = None, reduction: Any = "sum_over_batch_size", dtype: Any = None) -> None:
        self.name = name or state.unique_name(type(self).__name__)
        if reduction not in _REDUCTIONS:
            allowed = {"sum_over_batch_size", "sum", None, "none", "mean", "mean_with_sample_weight"}
            raise ValueError(
                f"Invalid value for argument `reduction`. Expected one of {allowed}. Received: reduction={reduction}"
            )
        self.reduction = reduction
        self._dtype = dtype or state.floatx()

    @property
    def dtype(self) -> Any:
        return self._dtype

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        mask = nest.map_leaves(marks.mask_of, y_pred) if is_tensor(y_pred) else None
        pred = nest.map_leaves(self._tensor, y_pred) if not _listed(y_pred) else self._tensor(y_pred)
        true = nest.map_leaves(self._tensor, y_true) if not _listed(y_true) else self._tensor(y_true)
        values = self.call(true, pred)
        own = marks.mask_of(values) if is_tensor(values) else None
        mask = own if own is not None else mask
        return reduced(values, sample_weight, mask, self.reduction)

    def _tensor(self, x: Any) -> Any:
        if is_tensor(x) and str(dtype_of(x)) == self._dtype:
            return x
        found = x if is_tensor(x) else convert(np.asarray(x))
        return math_ops.cast(found, self._dtype)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name, "reduction": self.reduction}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        return cls(**config)


def _listed(value: Any) -> bool:
    """Whether a list holds numbers, not tensors."""
    return (
        nest.is_nested(value)
        and not isinstance(value, dict)
        and not any(is_tensor(x) or isinstance(x, np.ndarray) for x in nest.flatten(value))
    )


class LossFunctionWrapper(Loss):
    """A function as a loss."""

    def __init__(
        self,
        fn: Any,
        reduction: Any = "sum_over_batch_size",
        name: str | None = None,
        dtype: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(name=name, reduction=reduction, dtype=dtype)
        self.fn, self._options = fn, options

    def call(self, y_true: Any, y_pred: Any) -> Any:
        if is_tensor(y_true) and is_tensor(y_pred):
            pred = y_pred
            y_true, y_pred = functions.same_rank(y_true, y_pred)
            logits = marks.get(pred, "logits")
            if y_pred is not pred and logits is not None:
                marks.put(y_pred, "logits", array_ops.reshape(logits, y_pred.shape))
        return self.fn(y_true, y_pred, **self._options)

    def get_config(self) -> dict[str, Any]:
        if type(self) is LossFunctionWrapper:
            return {**super().get_config(), "fn": serialize(self.fn), **serialize(self._options)}
        return {**super().get_config(), **serialize(self._options)}

    def __repr__(self) -> str:
        return f"<LossFunctionWrapper({self.fn}, kwargs={self._options})>"


def _wrapping(class_name: str, function: Any) -> type[LossFunctionWrapper]:
    """The class of a loss function: its settings become the constructor's."""
    settings = [p for p in inspect.signature(function).parameters.values() if p.name not in ("y_true", "y_pred")]
    names = [p.name for p in settings]

    def initialize(self: Any, *arguments: Any, **options: Any) -> None:
        given = dict(zip([*names, "reduction", "name", "dtype"] if names else ["reduction", "name", "dtype"],
                         arguments, strict=False)) | options  # fmt: skip
        unknown = [name for name in given if name not in (*names, "reduction", "name", "dtype")]
        if unknown:
            raise TypeError(f"{class_name}.__init__() got an unexpected keyword argument '{unknown[0]}'")
        own = {p.name: given.pop(p.name, p.default) for p in settings}
        given.setdefault("name", {"huber": "huber_loss"}.get(function.__name__, function.__name__))
        LossFunctionWrapper.__init__(self, function, **given, **own)
        for name, value in own.items():
            setattr(self, name, value)

    return type(class_name, (LossFunctionWrapper,), {"__init__": initialize, "__module__": "keras.src.losses.losses"})


CLASSES = {
    name: _wrapping(name, functions.FUNCTIONS[function]) for name, function in (
        ("MeanSquaredError", "mean_squared_error"), ("MeanAbsoluteError", "mean_absolute_error"),
        ("MeanAbsolutePercentageError", "mean_absolute_percentage_error"),
        ("MeanSquaredLogarithmicError", "mean_squared_logarithmic_error"), ("CosineSimilarity", "cosine_similarity"),
        ("LogCosh", "log_cosh"), ("Huber", "huber"), ("Hinge", "hinge"), ("SquaredHinge", "squared_hinge"),
        ("CategoricalHinge", "categorical_hinge"), ("KLDivergence", "kl_divergence"), ("Poisson", "poisson"),
        ("CategoricalCrossentropy", "categorical_crossentropy"),
        ("SparseCategoricalCrossentropy", "sparse_categorical_crossentropy"),
        ("BinaryCrossentropy", "binary_crossentropy"), ("BinaryFocalCrossentropy", "binary_focal_crossentropy"),
        ("Dice", "dice"),
    )
}  # fmt: skip
OBJECTS = family("keras.losses", {**CLASSES, **functions.FUNCTIONS, **functions.ALIASES})
OBJECTS |= {"Loss": Loss}
get = getter("keras.losses", "loss")
