"""Metrics that count hits and misses: precision, recall, AUC, F scores, intersection over union, R2."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import Valued, wrap
from engine.dialects.tensorflow.keras.both import in_graph, math_ops
from engine.dialects.tensorflow.keras.metrics.base import Metric

_M = math_ops.FUNCTIONS


def _array(value: Any) -> np.ndarray[Any, Any]:
    if in_graph():
        raise NotImplementedError(
            "metrics that count hits and misses cannot be updated inside tf.function in this teaching engine: call "
            "update_state after the function has returned"
        )
    found = value._array if isinstance(value, Valued) else np.asarray(value)
    return np.asarray(found, np.float32)


def _number(value: Any) -> Any:
    return wrap(np.asarray(value, np.float32))


def _ratio(a: Any, b: Any) -> Any:
    return np.divide(a, b, out=np.zeros_like(np.asarray(a, np.float32)), where=np.asarray(b) != 0)


class _Confusion(Metric):
    """How often each kind of hit and miss occurred, for each threshold."""

    counts: tuple[str, ...] = ()

    def __init__(
        self, thresholds: Any = None, top_k: Any = None, class_id: Any = None, name: str | None = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        default = -np.inf if top_k is not None else 0.5
        self.thresholds = [default] if thresholds is None else (
            list(thresholds) if isinstance(thresholds, list | tuple) else [thresholds]
        )  # fmt: skip
        for threshold in self.thresholds:
            if threshold is None or (top_k is None and not 0 <= threshold <= 1):
                raise ValueError(
                    f"Invalid values for argument `thresholds`. Expected an iterable of floats in [0, 1]. Received: "
                    f"thresholds={thresholds}"
                )
        for name_ in self.counts:
            setattr(self, name_, self.add_variable((len(self.thresholds),), "zeros", name=name_))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        true, pred = _array(y_true), _array(y_pred)
        if self.top_k is None and ((pred < 0).any() or (pred > 1).any()):
            raise ValueError("predictions must be >= 0 and <= 1")
        if true.ndim == pred.ndim - 1 and pred.shape[-1] == 1:
            true = true[..., None]
        if self.top_k is not None:
            order = np.argsort(-pred, -1, kind="stable")[..., : self.top_k]
            best = np.zeros(pred.shape, bool)
            np.put_along_axis(best, order, True, -1)
            pred = np.where(best, pred, -np.inf)
        if self.class_id is not None:
            true, pred = true[..., self.class_id], pred[..., self.class_id]
        weight = np.ones(true.shape, np.float32)
        if sample_weight is not None:
            given = _array(sample_weight)
            weight = np.broadcast_to(given.reshape(given.shape + (1,) * (true.ndim - given.ndim)), true.shape)
        positive = true.reshape(-1) > 0.5 if self.top_k is None else true.reshape(-1).astype(bool)
        flat, weights = pred.reshape(-1), weight.reshape(-1)
        for place, threshold in enumerate(self.thresholds):
            said = flat > threshold
            kinds = {
                "true_positives": said & positive,
                "false_positives": said & ~positive,
                "false_negatives": ~said & positive,
                "true_negatives": ~said & ~positive,
            }
            for name in self.counts:
                variable = getattr(self, name)
                new = variable._array.copy()
                new[place] += (weights * kinds[name]).sum(dtype=np.float32)
                variable.assign(new)

    def _result(self, values: Any) -> Any:
        return _number(values[0] if len(self.thresholds) == 1 else values)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "thresholds": self.init_thresholds,
            "top_k": self.top_k,
            "class_id": self.class_id,
        }


class Precision(_Confusion):
    """Of what was said to be positive, how much is."""

    counts = ("true_positives", "false_positives")

    def __init__(
        self,
        thresholds: Any = None,
        top_k: Any = None,
        class_id: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(thresholds, top_k, class_id, name, dtype)

    def result(self) -> Any:
        hits = self.true_positives._array
        return self._result(_ratio(hits, hits + self.false_positives._array))


class Recall(_Confusion):
    """Of what is positive, how much was said to be."""

    counts = ("true_positives", "false_negatives")

    def result(self) -> Any:
        hits = self.true_positives._array
        return self._result(_ratio(hits, hits + self.false_negatives._array))


class _Count(_Confusion):
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(thresholds, name=name, dtype=dtype)

    def result(self) -> Any:
        return self._result(getattr(self, self.counts[0])._array)

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name, "dtype": self.dtype, "thresholds": self.init_thresholds}


def _count(class_name: str, counts: str) -> type[_Count]:
    return type(class_name, (_Count,), {"counts": (counts,), "__module__": _Count.__module__})


class AUC(Metric):
    """The area under the curve of hits over false alarms (or of precision over recall)."""

    def __init__(
        self, num_thresholds: int = 200, curve: str = "ROC", summation_method: str = "interpolation",
        name: str | None = None, dtype: Any = None, thresholds: Any = None, multi_label: bool = False,
        num_labels: Any = None, label_weights: Any = None, from_logits: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        if multi_label or summation_method != "interpolation":
            raise NotImplementedError(
                "AUC: this teaching engine has multi_label=False and summation_method='interpolation' only"
            )
        if thresholds is not None:
            inner = sorted(thresholds)
        else:
            if num_thresholds <= 1:
                raise ValueError(
                    f"Argument `num_thresholds` must be an integer > 1. Received: num_thresholds={num_thresholds}"
                )
            inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self.thresholds = np.array([-1e-7, *inner, 1.0 + 1e-7])
        self.num_thresholds, self.curve, self.from_logits = len(self.thresholds), curve.upper(), from_logits
        for part in ("true_positives", "false_positives", "true_negatives", "false_negatives"):
            setattr(self, part, self.add_variable((self.num_thresholds,), "zeros", name=part))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        true, pred = _array(y_true).reshape(-1) > 0.5, _array(y_pred).reshape(-1)
        if self.from_logits:
            pred = 1 / (1 + np.exp(-pred))
        weight = np.ones(len(pred), np.float32) if sample_weight is None else _array(sample_weight).reshape(-1)
        said = pred[None, :] > self.thresholds.astype(np.float32)[:, None]
        for part, hits in (
            ("true_positives", said & true), ("false_positives", said & ~true),
            ("true_negatives", ~said & ~true), ("false_negatives", ~said & true),
        ):  # fmt: skip
            variable = getattr(self, part)
            variable.assign(variable._array + (hits * weight).sum(1, dtype=np.float32))

    def result(self) -> Any:
        tp, fp, tn, fn = (
            getattr(self, part)._array
            for part in ("true_positives", "false_positives", "true_negatives", "false_negatives")
        )
        if self.curve == "PR":
            return _number(self._precision_recall(tp, fp, fn))
        recall, alarms = _ratio(tp, tp + fn), _ratio(fp, fp + tn)
        return _number(((alarms[:-1] - alarms[1:]) * (recall[:-1] + recall[1:]) / 2).sum())

    @staticmethod
    def _precision_recall(tp: Any, fp: Any, fn: Any) -> Any:
        steps, said = tp[:-1] - tp[1:], tp + fp
        slope = _ratio(steps, np.maximum(said[:-1] - said[1:], 0))
        offset = tp[1:] - slope * said[1:]
        both = (said[:-1] > 0) & (said[1:] > 0)
        shares = np.where(both, _ratio(said[:-1], np.maximum(said[1:], 0)), 1.0)
        area = slope * (steps + offset * np.log(shares))
        return _ratio(area, np.maximum(tp[1:] + fn[1:], 0)).sum()


class FBetaScore(Metric):
    """Precision and recall in one number, for each class."""

    def __init__(
        self, average: Any = None, beta: float = 1.0, threshold: Any = None, name: str | None = "fbeta_score",
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        if average not in (None, "micro", "macro", "weighted"):
            raise ValueError(
                "Invalid `average` argument value. Expected one of: {None, 'micro', 'macro', 'weighted'}. Received: "
                f"average={average}"
            )
        self.average, self.beta, self.threshold = average, beta, threshold
        self._counts: Any = None

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        true, pred = _array(y_true), _array(y_pred)
        if self.threshold is None:
            said = (pred == pred.max(-1, keepdims=True)) & (np.abs(pred) > 1e-12)
        else:
            said = pred > self.threshold
        weight = np.ones(len(true), np.float32) if sample_weight is None else _array(sample_weight)
        axis = None if self.average == "micro" else 0
        hits = np.stack([
            ((a * b) * weight[:, None]).sum(axis)
            for a, b in ((said, true), (said, 1 - true), (1 - said, true), (true, np.ones_like(true)))
        ])  # fmt: skip
        if self._counts is None:
            self._counts = self.add_variable(hits.shape, "zeros", name="counts")
        self._counts.assign(self._counts._array + hits)

    def result(self) -> Any:
        tp, fp, fn, total = self._counts._array
        precision, recall = _ratio(tp, tp + fp + 1e-7), _ratio(tp, tp + fn + 1e-7)
        found = (1 + self.beta**2) * _ratio(precision * recall, precision * self.beta**2 + recall + 1e-7)
        if self.average == "macro":
            found = np.mean(found)
        elif self.average == "weighted":
            found = (found * total / max(total.sum(), 1e-7)).sum()
        return _number(found)


class F1Score(FBetaScore):
    """Precision and recall with the same weight."""

    def __init__(
        self, average: Any = None, threshold: Any = None, name: str | None = "f1_score", dtype: Any = None
    ) -> None:
        super().__init__(average, 1.0, threshold, name, dtype)


class MeanIoU(Metric):
    """What labels and predictions share over what either has, averaged over the classes."""

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: Any = None,
        ignore_class: Any = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        self.num_classes, self.sparse_y_true, self.sparse_y_pred = num_classes, sparse_y_true, sparse_y_pred
        self.total_cm = self.add_variable((num_classes, num_classes), "zeros", name="total_confusion_matrix")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        true, pred = _array(y_true), _array(y_pred)
        true = true if self.sparse_y_true else true.argmax(-1)
        pred = pred if self.sparse_y_pred else pred.argmax(-1)
        new = self.total_cm._array.copy()
        weight = np.ones(true.size) if sample_weight is None else _array(sample_weight).reshape(-1)
        np.add.at(new, (true.reshape(-1).astype(int), pred.reshape(-1).astype(int)), weight)
        self.total_cm.assign(new)

    def result(self) -> Any:
        both = np.diag(self.total_cm._array)
        either = self.total_cm._array.sum(0) + self.total_cm._array.sum(1) - both
        present = either > 0
        return _number(_ratio(both, either)[present].mean() if present.any() else 0.0)


class R2Score(Metric):
    """How much of the spread of the labels is explained."""

    def __init__(
        self,
        class_aggregation: Any = "uniform_average",
        num_regressors: int = 0,
        name: str | None = "r2_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        self.class_aggregation = class_aggregation
        self._sums: Any = None

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        true, pred = _array(y_true), _array(y_pred)
        weight = np.ones(len(true), np.float32) if sample_weight is None else _array(sample_weight).reshape(-1)
        weight = weight.reshape(-1, *[1] * (true.ndim - 1))
        new = np.stack([(part * weight).sum(0) for part in (true, true**2, (true - pred) ** 2, np.ones_like(true))])
        if self._sums is None:
            self._sums = self.add_variable(new.shape, "zeros", name="sums")
        self._sums.assign(self._sums._array + new)

    def result(self) -> Any:
        total, squares, left, count = self._sums._array
        spread = squares - total * (total / count)
        score = 1 - left / spread
        return _number(score if self.class_aggregation is None else score.mean())


CLASSES = {cls.__name__: cls for cls in (Precision, Recall, AUC, FBetaScore, F1Score, MeanIoU, R2Score)} | {
    name: _count(name, counts) for name, counts in (
        ("TruePositives", "true_positives"), ("FalsePositives", "false_positives"),
        ("TrueNegatives", "true_negatives"), ("FalseNegatives", "false_negatives"),
    )
}  # fmt: skip
