"""What ``compile`` was given, resolved when the first batch shows what the model puts out."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.keras import losses, nest, state
from engine.dialects.tensorflow.keras.both import math_ops
from engine.dialects.tensorflow.keras.losses import classes as loss_classes
from engine.dialects.tensorflow.keras.metrics import known as metrics_known
from engine.dialects.tensorflow.keras.metrics import means
from engine.dialects.tensorflow.keras.metrics.base import Mean, MeanMetricWrapper, Metric

_M = math_ops.FUNCTIONS


def _kind(y_true: Any, y_pred: Any) -> tuple[bool, bool]:
    """Whether predictions are single numbers; whether labels are class numbers."""
    true, pred = y_true.shape, y_pred.shape
    sparse = len(true) < len(pred) or (true[-1] == 1 and pred[-1] > 1)
    return pred[-1] == 1, sparse


def _name_of(thing: Any) -> str:
    if hasattr(thing, "name"):
        return str(thing.name)
    return state.snake_case(getattr(thing, "__name__", type(thing).__name__))


def resolve_metric(identifier: Any, y_true: Any, y_pred: Any) -> Metric:
    """A metric; "accuracy" is the one that fits labels and predictions."""
    if identifier is None:
        raise ValueError("Expected metric, received `None`")
    if str(identifier).lower() in ("accuracy", "acc"):
        binary, sparse = _kind(y_true, y_pred)
        kind = "BinaryAccuracy" if binary else "SparseCategoricalAccuracy" if sparse else "CategoricalAccuracy"
        found = means.CLASSES[kind](name=str(identifier))
    else:
        found = metrics_known.get(identifier)
    name = identifier if isinstance(identifier, str) else _name_of(found)
    metric = found if isinstance(found, Metric) else MeanMetricWrapper(found, name=_name_of(found))
    metric.name = name
    return metric


def resolve_loss(identifier: Any, y_true: Any, y_pred: Any) -> Any:
    """A loss object."""
    if identifier is None:
        return None
    if str(identifier).lower() in ("crossentropy", "ce"):
        binary, sparse = _kind(y_true, y_pred)
        which = "binary" if binary else "sparse_categorical" if sparse else "categorical"
        found = loss_classes.OBJECTS[f"{which}_crossentropy"]
    else:
        found = loss_classes.get(identifier)
    if not isinstance(found, loss_classes.Loss):
        name = identifier if isinstance(identifier, str) else _name_of(found)
        found = loss_classes.LossFunctionWrapper(found, name=name)
    return found


class CompileMetrics(Metric):
    """The metrics of all outputs."""

    def __init__(self, metrics: Any, weighted_metrics: Any, output_names: Any = None) -> None:
        super().__init__(name="compile_metrics")
        for label, given in (("metrics", metrics), ("weighted_metrics", weighted_metrics)):
            if given and not isinstance(given, list | tuple | dict):
                raise ValueError(
                    f"Expected `{label}` argument to be a list, tuple, or dict. Received instead: {label}={given} of "
                    f"type {type(given)}"
                )
        self.__dict__["_given"] = (metrics, weighted_metrics)
        self.built = False
        self.output_names = output_names
        self.__dict__["_resolved"] = ([], [])

    @property
    def metrics(self) -> list[Any]:
        return [m for group in self._resolved for _, found in group for m in found]

    @property
    def variables(self) -> list[Any]:
        return [v for m in self.metrics for v in m.variables]

    def build(self, y_true: Any, y_pred: Any) -> None:
        true, pred = outputs_of(y_true, y_pred, self.output_names)
        self.__dict__["_resolved"] = tuple(
            self._for_outputs(given, true, pred, label)
            for given, label in zip(self._given, ("metrics", "weighted_metrics"), strict=True)
        )
        self.built = True

    def _for_outputs(self, given: Any, true: Any, pred: Any, label: str) -> list[tuple[Any, list[Metric]]]:
        names = list(pred)
        if not given:
            return [(None, []) for _ in names]
        if len(names) == 1:
            y, p = true[names[0]], pred[names[0]]
            return [(None, [resolve_metric(m, y, p) for m in nest.flatten(given)])]
        if isinstance(given, dict):
            unknown = [name for name in given if name not in names]
            if unknown:
                raise ValueError(
                    f"In the dict argument `{label}`, key '{unknown[0]}' does not correspond to any model output. "
                    f"Received:\n{label}={given}"
                )
            lists = [given.get(name) for name in names]
        elif len(given) == len(names):
            lists = list(given)
        else:
            raise ValueError(
                "For a model with multiple outputs, when providing the `metrics` argument as a list, it should have as "
                f"many entries as the model has outputs. Received:\n{label}={given}\nof length {len(given)} whereas "
                f"the model has {len(names)} outputs."
            )
        found = []
        for name, entries in zip(names, lists, strict=True):
            entries = entries if isinstance(entries, list | tuple) else [entries]
            found.append((name, [resolve_metric(m, true[name], pred[name]) for m in entries if m is not None]))
        return found

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        if not self.built:
            self.build(y_true, y_pred)
        true, pred = outputs_of(y_true, y_pred, self.output_names)
        weights = nest.flatten(sample_weight) if sample_weight is not None else []
        plain, weighted = self._resolved
        for place, name in enumerate(pred):
            for metric in plain[place][1]:
                metric.update_state(true[name], pred[name])
            for metric in weighted[place][1]:
                weight = weights[place if place < len(weights) else 0] if weights else None
                metric.update_state(true[name], pred[name], weight)

    def reset_state(self) -> None:
        for metric in self.metrics:
            metric.reset_state()

    def result(self) -> dict[str, Any]:
        if not self.built:
            raise ValueError("Cannot get result() since the metric has not yet been built.")
        results: dict[str, Any] = {}
        seen: dict[str, int] = {}
        for weighted, group in enumerate(self._resolved):
            for output, found in group:
                for metric in found:
                    name = f"{output}_{metric.name}" if output else metric.name
                    if name in seen and weighted:
                        name = f"{output}_weighted_{metric.name}" if output else f"weighted_{metric.name}"
                    number = seen.get(name, 0)
                    seen[name] = number + 1
                    results[f"{name}_{number}" if number else name] = metric.result()
        return results


def outputs_of(y_true: Any, y_pred: Any, names: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Labels and predictions by output."""
    if isinstance(y_pred, dict):
        keys = list(y_pred)
        truth = y_true if isinstance(y_true, dict) else dict(zip(keys, nest.flatten(y_true), strict=False))
        return truth, y_pred
    flat = nest.flatten(y_pred)
    keys = list(names) if names and len(names) == len(flat) else [f"output_{i}" for i in range(len(flat))]
    if isinstance(y_true, dict):
        return y_true, dict(zip(keys, flat, strict=True))
    truths = nest.flatten(y_true)
    if len(flat) == 1 and len(truths) == 1:
        return {keys[0]: truths[0]}, {keys[0]: flat[0]}
    return dict(zip(keys, truths, strict=False)), dict(zip(keys, flat, strict=True))


class CompileLoss(loss_classes.Loss):
    """The losses of all outputs, weighted and added."""

    def __init__(self, loss: Any, loss_weights: Any = None, output_names: Any = None) -> None:
        super().__init__(name="compile_loss")
        if loss_weights is not None and not isinstance(loss_weights, list | tuple | dict | float):
            raise ValueError(
                "Expected `loss_weights` argument to be a float (single output case) or a list, tuple, or dict "
                f"(multiple output case). Received instead: loss_weights={loss_weights} of type {type(loss_weights)}"
            )
        self._given, self._weights, self.output_names = loss, loss_weights, output_names
        self.built = False
        self.metrics: list[Any] = []
        self._parts: list[tuple[Any, Any, Any]] = []

    def build(self, y_true: Any, y_pred: Any) -> None:
        true, pred = outputs_of(y_true, y_pred, self.output_names)
        names = list(pred)
        losses_ = self._per_output(self._given, names, "loss")
        weights = self._per_output(self._weights, names, "loss_weights") if self._weights is not None else {}
        named = isinstance(self._given, dict) and self.output_names and not isinstance(y_pred, dict)
        if named and set(self._given) - set(self.output_names):
            raise ValueError(
                f"Expected keys {self.output_names} in loss dict, but found loss.keys()={list(self._given.keys())}"
            )
        for name in names:
            if losses_.get(name) is None:
                continue
            loss = resolve_loss(losses_[name], true.get(name), pred[name])
            self._parts.append((name, loss, weights.get(name)))
        if len(self._parts) > 1:
            known = bool(self.output_names) or isinstance(y_pred, dict)
            self.metrics = [Mean(name=f"{name if known else loss.name}_loss") for name, loss, _ in self._parts]
        self.built = True

    @staticmethod
    def _per_output(given: Any, names: list[Any], what: str) -> dict[Any, Any]:
        if isinstance(given, dict):
            return given
        if isinstance(given, list | tuple):
            if len(given) == len(names):
                return dict(zip(names, given, strict=True))
            if len(names) == 1 and len(given) == 1:
                return {names[0]: given[0]}
            raise ValueError(
                f"For a model with multiple outputs, when providing the `{what}` argument as a list, it should have as "
                f"many entries as the model has outputs. Received:\n{what}={given}\nof length {len(given)} whereas the "
                f"model has {len(names)} outputs."
            )
        return dict.fromkeys(names, given)

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        if not self.built:
            self.build(y_true, y_pred)
        true, pred = outputs_of(y_true, y_pred, self.output_names)
        names = list(pred)
        weights = nest.flatten(sample_weight) if sample_weight is not None else []
        if isinstance(sample_weight, dict):
            weights = [sample_weight.get(name) for name in names]
        values = []
        for place, (name, loss, factor) in enumerate(self._parts):
            at = names.index(name)
            weight = weights[at if at < len(weights) else 0] if weights else None
            if name not in true:
                raise KeyError(
                    f"The path: ({name!r},) in the `loss` argument, can't be found in either the model's output "
                    "(`y_pred`) or in the labels (`y_true`)."
                )
            value = loss(true[name], pred[name], weight)
            if self.metrics:
                self.metrics[place].update_state(value, sample_weight=float(nest.flatten(pred)[0].shape[0]))
            values.append(_M["multiply"](value, float(factor)) if factor is not None else value)
        if not values:
            return None
        total = values[0]
        for value in values[1:]:
            total = _M["add"](total, value)
        return convert(total)

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError


__all__ = ["CompileLoss", "CompileMetrics", "losses", "outputs_of", "resolve_loss", "resolve_metric"]
