"""``tf.contrib.eager`` and ``tf.contrib.summary``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.dialects.event_files.summary_data import Summary
from engine.dialects.tensorflow import summary
from engine.dialects.tensorflow.eager import nn_ops, tape
from engine.dialects.tensorflow.eager.math_ops import FUNCTIONS as F
from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.late.checkpoints import Checkpoint
from engine.dialects.tensorflow.late.variables import get_or_create_global_step


# -- gradients of functions ------------------------------------------------------------------------------------------
def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives ``f(...)`` and its (gradient, variable) pairs for all variables that it reads."""

    def both(*args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        with tape.GradientTape() as running:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError("Cannot differentiate a function that returns None; did you forget to return a value?")
        found = list(running.watched_variables())
        if not found:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return value, list(zip(running.gradient(value, found), found, strict=True))

    return both


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives the (gradient, variable) pairs of ``f(...)``."""
    both = implicit_value_and_gradients(f)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]


def value_and_gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """A function that gives ``f(...)`` and its gradients for the arguments (those at ``params``)."""

    def both(*args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        inputs = [convert(arg) for arg in args]
        chosen = inputs if params is None else [inputs[int(place)] for place in params]
        with tape.GradientTape() as running:
            for tensor in chosen:
                running.watch(tensor)
            value = f(*inputs, **kwargs)
        return value, running.gradient(value, chosen)

    return both


def gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """A function that gives the gradients of ``f(...)`` for its arguments."""
    both = value_and_gradients_function(f, params)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]


class DatasetIterator:
    """``tfe.Iterator``: the elements of a dataset, one after the other."""

    def __init__(self, dataset: Any) -> None:
        self._rows = iter(dataset)

    def __iter__(self) -> DatasetIterator:
        return self

    def __next__(self) -> Any:
        return next(self._rows)

    next = __next__

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        :raises tf.errors.OutOfRangeError: there is none.
        """
        from engine.dialects.tensorflow.errors import OutOfRangeError

        try:
            return next(self._rows)
        except StopIteration:
            raise OutOfRangeError(None, None, "End of sequence [Op:IteratorGetNext]") from None


class _Mean:
    """``tfe.metrics.Mean``: the mean of what it was called with."""

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        self.name = name or type(self).__name__.lstrip("_")
        self._total, self._count = 0.0, 0.0

    def __call__(self, values: Any, weights: Any = None) -> Any:
        found = np.asarray(convert(values)._array, np.float64)
        factor = np.ones_like(found) if weights is None else np.broadcast_to(np.asarray(weights), found.shape)
        self._total += float((found * factor).sum())
        self._count += float(factor.sum())
        return values

    def result(self) -> Any:
        return convert(np.float64(self._total / self._count if self._count else 0.0))

    def init_variables(self) -> None:
        self._total = self._count = 0.0


class _Accuracy(_Mean):
    """``tfe.metrics.Accuracy``: how often predictions were right."""

    def __call__(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        right = np.asarray(convert(labels)._array) == np.asarray(convert(predictions)._array)
        super().__call__(right.astype(np.float64), weights)
        return labels, predictions


class _Metrics:
    Mean, Accuracy = _Mean, _Accuracy


def dropout(
    x: Any, keep_prob: Any = None, noise_shape: Any = None, seed: Any = None, name: Any = None, rate: Any = None
) -> Any:
    """Dropout with the arguments of 1.x."""
    drop = 1 - keep_prob if rate is None else rate
    return nn_ops.dropout(x, rate=drop, noise_shape=noise_shape, seed=seed)


def names(mode: Any) -> dict[str, Any]:
    """The names of ``tf.contrib.eager``."""
    return {
        "enable_eager_execution": mode.enable, "executing_eagerly": mode.executing_eagerly,
        "in_eager_mode": mode.executing_eagerly, "Variable": ResourceVariable, "GradientTape": tape.GradientTape,
        "implicit_gradients": implicit_gradients, "implicit_value_and_gradients": implicit_value_and_gradients,
        "gradients_function": gradients_function, "value_and_gradients_function": value_and_gradients_function,
        "Iterator": DatasetIterator, "metrics": _Metrics, "Checkpoint": Checkpoint, "num_gpus": lambda: 0,
        "get_optimizer_variables": lambda optimizer: optimizer.variables(),
    }  # fmt: skip


# -- summaries -------------------------------------------------------------------------------------------------------
_writers: list[Writer] = []
_record: list[Callable[[], bool]] = []


class Writer:
    """A writer that is the default one inside ``as_default``."""

    def __init__(self, logdir: Any) -> None:
        self._file = summary.FileWriter(logdir)

    @contextmanager
    def as_default(self) -> Iterator[Writer]:
        _writers.append(self)
        try:
            yield self
        finally:
            _writers.remove(self)
            self._file.flush()

    def set_as_default(self) -> None:
        _writers.append(self)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def create_file_writer(logdir: Any, max_queue: Any = None, flush_millis: Any = None, **_more: Any) -> Writer:
    """A writer of event files in ``logdir``."""
    return Writer(logdir)


@contextmanager
def _recording(condition: Callable[[], bool]) -> Iterator[None]:
    _record.append(condition)
    try:
        yield
    finally:
        _record.pop()


def always_record_summaries() -> Any:
    """Inside, every summary is kept."""
    return _recording(lambda: True)


def never_record_summaries() -> Any:
    return _recording(lambda: False)


def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> Any:
    """Inside, the summaries of every ``n``-th step are kept."""
    step = global_step if global_step is not None else get_or_create_global_step()
    return _recording(lambda: int(step._array) % n == 0)


def _keep(name: str, step: Any, **value: Any) -> None:
    if not (_writers and _record and _record[-1]()):
        return
    number = get_or_create_global_step() if step is None else step
    entry = Summary(value=[Summary.Value(tag=name, **value)])
    _writers[-1]._file.add_summary(entry, int(np.asarray(getattr(number, "_array", number))))


def scalar(name: str, tensor: Any, family: Any = None, step: Any = None) -> None:
    """Keep one value of the current step."""
    _keep(
        f"{family}/{name}" if family else name, step, simple_value=float(F["cast"](convert(tensor), "float32")._array)
    )


def begin() -> None:
    """A new program."""
    _writers.clear()
    _record.clear()
    summary.begin()


SUMMARY = {
    "create_file_writer": create_file_writer, "create_summary_file_writer": create_file_writer, "scalar": scalar,
    "always_record_summaries": always_record_summaries, "never_record_summaries": never_record_summaries,
    "record_summaries_every_n_global_steps": record_summaries_every_n_global_steps,
}  # fmt: skip
