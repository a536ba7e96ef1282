"""``compile``, ``fit``, ``evaluate``, ``predict`` and their single steps, eagerly: every step can be watched."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events
from engine.dialects.tensorflow.eager.tape import GradientTape
from engine.dialects.tensorflow.eager.tensor import Valued, convert
from engine.dialects.tensorflow.keras import nest, state
from engine.dialects.tensorflow.keras.both import math_ops
from engine.dialects.tensorflow.keras.callbacks.base import CallbackList
from engine.dialects.tensorflow.keras.metrics.base import Mean, Metric
from engine.dialects.tensorflow.keras.optimizers import algorithms
from engine.dialects.tensorflow.keras.serialization import deserialize, serialize
from engine.dialects.tensorflow.keras.training import batches
from engine.dialects.tensorflow.keras.training.compiled import CompileLoss, CompileMetrics

_M = math_ops.FUNCTIONS


def as_numbers(logs: Any) -> dict[str, Any]:
    """Logs as Python numbers."""
    found = {}
    for name, value in sorted((logs or {}).items()):
        if isinstance(value, dict):
            found.update(as_numbers(value))
        else:
            try:
                found[name] = float(value)
            except (TypeError, ValueError):
                found[name] = value.numpy() if isinstance(value, Valued) else value
    return found


class Trainer:
    """What a model learns with."""

    optimizer: Any
    stop_training: bool
    name: str

    if TYPE_CHECKING:  # weights and settings are attributes by the names that a layer gives them

        def __getattr__(self, name: str) -> Any: ...
        def __call__(self, *inputs: Any, **options: Any) -> Any: ...

    def _start_trainer(self) -> None:
        for name, value in (
            ("compiled", False), ("optimizer", None), ("loss", None), ("stop_training", False), ("history", None),
            ("_compile_loss", None), ("_compile_metrics", None), ("_loss_tracker", None), ("_compile_config", None),
            ("run_eagerly", False), ("_initial_epoch", None),
        ):  # fmt: skip
            self.__dict__.setdefault(name, value)

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, loss_weights: Any = None, metrics: Any = None,
        weighted_metrics: Any = None, run_eagerly: bool = False, steps_per_execution: int = 1,
        jit_compile: Any = "auto", auto_scale_loss: bool = True,
    ) -> None:  # fmt: skip
        """Say how the model is to learn and what is to be told of it."""
        own = self.__dict__
        own["optimizer"] = algorithms.get(optimizer)
        own["loss"] = loss
        names = getattr(self, "output_names", None)
        own["_compile_loss"] = None
        if loss is not None:
            own["_compile_loss"] = CompileLoss(loss, loss_weights, names)
        own["_compile_metrics"] = None
        if metrics is not None or weighted_metrics is not None:
            own["_compile_metrics"] = CompileMetrics(metrics, weighted_metrics, names)
        own["run_eagerly"], own["stop_training"] = run_eagerly, False
        own["compiled"] = True
        own["_loss_tracker"] = Mean(name="loss")
        own["_compile_config"] = {
            "optimizer": optimizer, "loss": loss, "loss_weights": loss_weights, "metrics": metrics,
            "weighted_metrics": weighted_metrics, "run_eagerly": run_eagerly,
            "steps_per_execution": steps_per_execution, "jit_compile": jit_compile,
        }  # fmt: skip

    # -- metrics -----------------------------------------------------------------------------------------------------
    @property
    def metrics(self) -> list[Any]:
        found = [m for m in (self._loss_tracker, self._compile_metrics) if m is not None and self.compiled]
        if self.compiled and self._compile_loss is not None:
            found += self._compile_loss.metrics
        found += self._parts(Metric)
        for layer in self._flatten_layers(include_self=False):
            if not isinstance(layer, Trainer):
                found += layer._parts(Metric)
        return list({id(m): m for m in found}.values())

    @property
    def metrics_names(self) -> list[str]:
        return [m.name for m in self.metrics]

    def reset_metrics(self) -> None:
        for metric in self.metrics:
            metric.reset_state()

    def get_metrics_result(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for metric in self.metrics:
            result = metric.result()
            found.update(result if isinstance(result, dict) else {metric.name: result})
        return found

    def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> dict[str, Any]:
        if self._compile_metrics is not None:
            self._compile_metrics.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None, training: bool = True
    ) -> Any:
        """The loss of a batch, with what layers and weights add.

        :raises ValueError: there is none.
        """
        losses = []
        if self._compile_loss is not None:
            loss = self._compile_loss(y, y_pred, sample_weight)
            if loss is not None:
                losses.append(loss)
        losses += [_M["reduce_sum"](loss) if loss.shape else loss for loss in map(convert, self.losses)]
        if not losses:
            raise ValueError("No loss to compute. Provide a `loss` argument in `compile()`.")
        total = losses[0]
        for loss in losses[1:]:
            total = _M["add"](total, loss)
        return total

    compiled_loss = compute_loss

    # -- single steps ------------------------------------------------------------------------------------------------
    def _call_with(self, x: Any, training: bool) -> Any:
        return self(x, training=training) if self._call_has_training_arg else self(x)

    def train_step(self, data: Any) -> dict[str, Any]:
        """One batch: forwards, loss, gradients, update."""
        x, y, weight = batches.unpack_x_y_sample_weight(data)
        with GradientTape() as tape:
            y_pred = self._call_with(x, True)
            loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=weight, training=True)
        self._track_loss(loss, x)
        if self.trainable_weights:
            gradients = tape.gradient(loss, self.trainable_weights)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_weights, strict=True))
        else:
            warnings.warn("The model does not have any trainable weights.", stacklevel=2)
        return self.compute_metrics(x, y, y_pred, sample_weight=weight)

    def test_step(self, data: Any) -> dict[str, Any]:
        """One batch: forwards and loss."""
        x, y, weight = batches.unpack_x_y_sample_weight(data)
        y_pred = self._call_with(x, False)
        loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=weight, training=False)
        self._track_loss(loss, x)
        return self.compute_metrics(x, y, y_pred, sample_weight=weight)

    def predict_step(self, data: Any) -> Any:
        """One batch: forwards."""
        x, _, _ = batches.unpack_x_y_sample_weight(data)
        return self._call_with(x, False)

    def _track_loss(self, loss: Any, x: Any) -> None:
        if self._loss_tracker is not None:
            size = float(nest.flatten(x)[0].shape[0])
            self._loss_tracker.update_state(loss, sample_weight=size)

    # -- loops -------------------------------------------------------------------------------------------------------
    def fit(
        self, x: Any = None, y: Any = None, batch_size: Any = None, epochs: int = 1, verbose: Any = "auto",
        callbacks: Any = None, validation_split: float = 0.0, validation_data: Any = None, shuffle: Any = True,
        class_weight: Any = None, sample_weight: Any = None, initial_epoch: int = 0, steps_per_epoch: Any = None,
        validation_steps: Any = None, validation_batch_size: Any = None, validation_freq: Any = 1,
    ) -> Any:  # fmt: skip
        """Learn from data for some epochs; what happened is kept in the history that comes back."""
        self._need_compiled("fit")
        if validation_split and validation_data is None:
            (x, y, sample_weight), validation_data = batches.train_validation_split(
                (x, y, sample_weight), validation_split
            )
        source = batches.batches_of(x, y, sample_weight, batch_size, steps_per_epoch, shuffle, class_weight)
        checked = None
        if validation_data is not None:
            val_x, val_y, val_weight = batches.unpack_x_y_sample_weight(validation_data)
            checked = batches.batches_of(
                val_x, val_y, val_weight, validation_batch_size or batch_size, validation_steps
            )
            checked.anew = True
        steps = steps_per_epoch or source.size
        if not isinstance(callbacks, CallbackList):
            callbacks = CallbackList(
                callbacks, add_history=True, add_progbar=verbose != 0, verbose=verbose, epochs=epochs, steps=steps,
                model=self,
            )  # fmt: skip
        self.stop_training = False
        callbacks.on_train_begin()
        initial_epoch = self._initial_epoch or initial_epoch  # a backup goes on where it was
        logs: dict[str, Any] = {}
        epoch_logs: dict[str, Any] | None = None
        for epoch in range(initial_epoch, epochs):
            self.reset_metrics()
            callbacks.on_epoch_begin(epoch)
            done = 0
            for batch in source.epoch():
                _passed("fit", epoch == initial_epoch and not done)
                callbacks.on_train_batch_begin(done)
                with state.in_loop(_open_size(batch, source)):
                    logs = self.train_step(batch)
                callbacks.on_train_batch_end(done, as_numbers(logs))
                done += 1
                if self.stop_training or (steps_per_epoch and done >= steps_per_epoch):
                    break
            if steps_per_epoch and done < steps_per_epoch and not self.stop_training:
                batches.ran_out()
                if not done:
                    self.stop_training = True
            epoch_logs = as_numbers(self._logs_or_metrics(logs))
            if checked is not None and _is_due(epoch, validation_freq):
                found = self._evaluated(checked, callbacks, validation_steps)
                epoch_logs.update({f"val_{name}": value for name, value in found.items()})
            callbacks.on_epoch_end(epoch, epoch_logs)
            if self.stop_training:
                break
        callbacks.on_train_end(epoch_logs)
        return self.history

    def _logs_or_metrics(self, logs: Any) -> Any:
        results = self.get_metrics_result() if self.metrics else {}
        return results if isinstance(logs, dict) and set(logs) == set(results) else logs

    def _evaluated(self, source: batches.Batches, callbacks: CallbackList, steps: Any) -> dict[str, Any]:
        callbacks.on_test_begin()
        self.reset_metrics()
        logs: dict[str, Any] = {}
        for done, batch in enumerate(source.epoch()):
            _passed("evaluate", not done)
            callbacks.on_test_batch_begin(done)
            with state.in_loop(_open_size(batch, source)):
                logs = self.test_step(batch)
            callbacks.on_test_batch_end(done, as_numbers(logs))
            if steps and done + 1 >= steps:
                break
        found = as_numbers(self._logs_or_metrics(logs))
        callbacks.on_test_end(found)
        return found

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: Any = None, verbose: Any = "auto", sample_weight: Any = None,
        steps: Any = None, callbacks: Any = None, return_dict: bool = False, **options: Any,
    ) -> Any:  # fmt: skip
        """Loss and metrics over data."""
        self._need_compiled("evaluate")
        if options:
            raise ValueError(f"Arguments not recognized: {options}")
        source = batches.batches_of(x, y, sample_weight, batch_size, steps)
        if not isinstance(callbacks, CallbackList):
            callbacks = CallbackList(
                callbacks, add_progbar=verbose != 0, verbose=verbose, epochs=1, steps=steps or source.size, model=self
            )
        found = self._evaluated(source, callbacks, steps)
        return found if return_dict else self._in_order(found)

    def _in_order(self, logs: dict[str, Any]) -> Any:
        names: list[str] = []
        for metric in self.metrics:
            names += [m.name for m in metric.metrics] if isinstance(metric, CompileMetrics) else [metric.name]
        found = [logs[name] for name in names if name in logs]
        found += [logs[name] for name in sorted(logs) if name not in names]
        return found[0] if len(found) == 1 else found

    def predict(
        self, x: Any, batch_size: Any = None, verbose: Any = "auto", steps: Any = None, callbacks: Any = None
    ) -> Any:
        """What the model gives for data, as arrays."""
        source = batches.batches_of(x, None, None, batch_size, steps)
        if not isinstance(callbacks, CallbackList):
            callbacks = CallbackList(
                callbacks, add_progbar=verbose != 0, verbose=verbose, epochs=1, steps=steps or source.size, model=self
            )
        callbacks.on_predict_begin()
        found: list[Any] = []
        for done, batch in enumerate(source.epoch()):
            _passed("predict", not done)
            callbacks.on_predict_batch_begin(done)
            # Traced for the first batch as it is, unlike fit and evaluate: messages have its size.
            outputs = self.predict_step(batch)
            found.append(outputs)
            callbacks.on_predict_batch_end(done, {"outputs": outputs})
            if steps and done + 1 >= steps:
                break
        callbacks.on_predict_end()
        return nest.map_leaves(lambda *parts: np.concatenate([np.asarray(p) for p in parts]), *found)

    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None, return_dict: bool = False
    ) -> Any:
        """One step with one batch."""
        self._need_compiled("train_on_batch")
        if class_weight is not None:
            if sample_weight is not None:
                raise ValueError(
                    "Arguments `sample_weight` and `class_weight` cannot be specified at the same time. Received: "
                    f"sample_weight={sample_weight}, class_weight={class_weight}"
                )
            sample_weight = batches.class_weights(y, class_weight)
        logs = as_numbers(self.train_step(_one_batch(x, y, sample_weight)))
        return logs if return_dict else self._in_order_np(logs)

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: bool = False) -> Any:
        """Loss and metrics of one batch."""
        self._need_compiled("test_on_batch")
        logs = as_numbers(self.test_step(_one_batch(x, y, sample_weight)))
        return logs if return_dict else self._in_order_np(logs)

    def _in_order_np(self, logs: dict[str, Any]) -> Any:
        return self._in_order(logs)

    def predict_on_batch(self, x: Any) -> Any:
        """What the model gives for one batch."""
        return nest.map_leaves(np.asarray, self.predict_step(_one_batch(x, None, None)))

    def _need_compiled(self, method: str) -> None:
        if not self.compiled:
            raise ValueError("You must call `compile()` before using the model.")

    def make_train_function(self, force: bool = False) -> Any:
        return lambda iterator: self.train_step(next(iterator))

    def make_test_function(self, force: bool = False) -> Any:
        return lambda iterator: self.test_step(next(iterator))

    # -- config ------------------------------------------------------------------------------------------------------
    def get_compile_config(self) -> Any:
        config = self._compile_config
        if not self.compiled or config is None:
            return None
        return {name: serialize(self.optimizer if name == "optimizer" else value) for name, value in config.items()}

    def compile_from_config(self, config: dict[str, Any]) -> None:
        found = {
            name: deserialize(value, family_of={"optimizer": "keras.optimizers", "loss": "keras.losses"}.get(name))
            if isinstance(value, dict | list) else value
            for name, value in config.items()
        }  # fmt: skip
        self.compile(**found)
        if self.built:
            self.optimizer.build(self.trainable_weights)


def _open_size(batch: Any, source: batches.Batches) -> int:
    """The size of a batch, if others may have another one; else 0."""
    if isinstance(source, batches.ArrayBatches) and source.count % source.batch == 0:
        return 0
    first = next((x for x in nest.flatten(batch) if x is not None), None)
    return int(first.shape[0]) if first is not None and len(first.shape) else 0


def _one_batch(x: Any, y: Any, sample_weight: Any) -> Any:
    source = batches.ArrayBatches(x, y, sample_weight, batch_size=2**62)
    return next(source.epoch())


def _passed(loop: str, first: bool) -> None:
    if events.listener is not None:
        events.listener.passed(loop, first)


def _is_due(epoch: int, frequency: Any) -> bool:
    if isinstance(frequency, int):
        return (epoch + 1) % frequency == 0
    if isinstance(frequency, list):
        return epoch + 1 in frequency
    raise ValueError(
        f"Expected `validation_freq` to be a list or int. Received: validation_freq={frequency} of the type "
        f"{type(frequency)}."
    )
