"""The callbacks of Keras: stopping early, keeping the best, lowering the rate, writing down."""

from __future__ import annotations

import csv
import warnings
from typing import Any

import numpy as np

from engine.dialects.tensorflow.keras.callbacks.backup import BackupAndRestore
from engine.dialects.tensorflow.keras.callbacks.base import Callback, CallbackList, History, ProgbarLogger
from engine.dialects.tensorflow.keras.callbacks.tensorboard import TensorBoard
from engine.dialects.tensorflow.keras.serialization import family


class LambdaCallback(Callback):
    """Functions in the places of methods."""

    def __init__(
        self, on_epoch_begin: Any = None, on_epoch_end: Any = None, on_train_begin: Any = None,
        on_train_end: Any = None, on_train_batch_begin: Any = None, on_train_batch_end: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        given = {
            "on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end, "on_train_begin": on_train_begin,
            "on_train_end": on_train_end, "on_train_batch_begin": on_train_batch_begin,
            "on_train_batch_end": on_train_batch_end, **options,
        }  # fmt: skip
        for name, function in given.items():
            if function is not None:
                setattr(self, name, function)


class _Watching(Callback):
    """Looks whether a number of the logs becomes better."""

    def __init__(self, monitor: str, mode: str, min_delta: float = 0.0) -> None:
        super().__init__()
        self.monitor = monitor
        if mode not in ("auto", "min", "max"):
            warnings.warn(f"`{type(self).__name__}` mode '{mode}' is unknown, fallback to auto mode.", stacklevel=3)
            mode = "auto"
        self.mode, self.min_delta = mode, abs(min_delta)
        self.best: Any = None

    def _upward(self) -> bool:
        if self.mode != "auto":
            return self.mode == "max"
        name = self.monitor.removeprefix("val_")
        return any(word in name for word in ("acc", "auc", "precision", "recall", "f1_score", "iou", "r2", "fmeasure"))

    def _better(self, value: Any, than: Any) -> bool:
        if than is None:
            return True
        return bool(value - self.min_delta > than) if self._upward() else bool(value + self.min_delta < than)

    def _value(self, logs: Any, what: str) -> Any:
        value = (logs or {}).get(self.monitor)
        if value is None:
            warnings.warn(
                f"{what} conditioned on metric `{self.monitor}` which is not available. Available metrics are: "
                f"{','.join(list((logs or {}).keys()))}",
                stacklevel=4,
            )
        return value


class EarlyStopping(_Watching):
    """Stops when a number has not become better for ``patience`` epochs."""

    def __init__(
        self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0, verbose: int = 0, mode: str = "auto",
        baseline: Any = None, restore_best_weights: bool = False, start_from_epoch: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(monitor, mode, min_delta)
        self.patience, self.verbose, self.baseline = patience, verbose, baseline
        self.restore_best_weights, self.start_from_epoch = restore_best_weights, start_from_epoch
        self.wait = self.stopped_epoch = 0
        self.best_weights: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best, self.best_weights = None, None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        current = self._value(logs, "Early stopping")
        if current is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self.best_weights, self.best_epoch = self.model.get_weights(), epoch
        self.wait += 1
        if self._better(current, self.best):
            self.best, self.best_epoch = current, epoch
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            if self.baseline is None or self._better(current, self.baseline):
                self.wait = 0
            return
        if self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def on_train_end(self, logs: Any = None) -> None:
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self.best_weights is not None:
            if self.verbose > 0:
                print(f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}.")
            self.model.set_weights(self.best_weights)


class ModelCheckpoint(_Watching):
    """Saves the model (or its weights) after epochs."""

    def __init__(
        self, filepath: Any, monitor: str = "val_loss", verbose: int = 0, save_best_only: bool = False,
        save_weights_only: bool = False, mode: str = "auto", save_freq: Any = "epoch",
        initial_value_threshold: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(monitor, mode)
        self.filepath, self.verbose = str(filepath), verbose
        self.save_best_only, self.save_weights_only, self.save_freq = save_best_only, save_weights_only, save_freq
        self.best = initial_value_threshold
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"Unrecognized save_freq: {save_freq}. Expected save_freq are 'epoch' or integer values")
        if save_weights_only and not self.filepath.endswith(".weights.h5"):
            raise ValueError(
                "When using `save_weights_only=True` in `ModelCheckpoint`, the filepath provided must end in "
                f"`.weights.h5` (Keras weights format). Received: filepath={self.filepath}"
            )
        if not save_weights_only and not self.filepath.endswith((".keras", ".h5")):
            raise ValueError(
                f"The filepath provided must end in `.keras` (Keras model format). Received: filepath={self.filepath}"
            )
        self._batches = 0
        self._epoch = 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batches += 1
        if isinstance(self.save_freq, int) and self._batches >= self.save_freq:
            self._batches = 0
            self._save(self._epoch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if self.save_freq == "epoch":
            self._save(epoch, logs)

    def _save(self, epoch: int, logs: Any) -> None:
        path = self.filepath.format(epoch=epoch + 1, **(logs or {}))
        if self.save_best_only:
            current = (logs or {}).get(self.monitor)
            if current is None:
                warnings.warn(f"Can save best model only with {self.monitor} available.", stacklevel=4)
                return
            if not self._better(current, self.best):
                if self.verbose > 0:
                    print(f"\nEpoch {epoch + 1}: {self.monitor} did not improve from {self.best:.5f}")
                return
            if self.verbose > 0:
                before = "None" if self.best is None else f"{self.best:.5f}"
                print(
                    f"\nEpoch {epoch + 1}: {self.monitor} improved from {before} to {current:.5f}, saving model to "
                    f"{path}"
                )
            self.best = current
        elif self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: saving model to {path}")
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: finished saving model to {path}")


class ReduceLROnPlateau(_Watching):
    """Lowers the learning rate when a number no longer becomes better."""

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0, mode: str = "auto",
        min_delta: float = 0.0001, cooldown: int = 0, min_lr: float = 0.0, **_: Any,
    ) -> None:  # fmt: skip
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau does not support a factor >= 1.0. Received factor={factor}")
        super().__init__(monitor, mode, min_delta)
        self.min_delta = min_delta
        self.factor, self.patience, self.verbose = factor, patience, verbose
        self.cooldown, self.min_lr = cooldown, min_lr
        self._restart()

    def _restart(self) -> None:
        self.best, self.cooldown_counter, self.wait = None, 0, 0

    def on_train_begin(self, logs: Any = None) -> None:
        self._restart()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        logs = logs if logs is not None else {}
        logs["learning_rate"] = float(np.asarray(self.model.optimizer.learning_rate))
        current = self._value(logs, "Learning rate reduction is")
        if current is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self._better(current, self.best):
            self.best, self.wait = current, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                before = float(np.float32(np.asarray(self.model.optimizer.learning_rate)))
                if before > np.float32(self.min_lr):
                    rate = max(before * self.factor, self.min_lr)
                    self.model.optimizer.learning_rate = rate
                    if self.verbose > 0:
                        print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {rate}.")
                    self.cooldown_counter, self.wait = self.cooldown, 0


class LearningRateScheduler(Callback):
    """Asks a function for the rate of each epoch."""

    def __init__(self, schedule: Any, verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        before = float(np.float32(np.asarray(self.model.optimizer.learning_rate)))
        try:
            rate = self.schedule(epoch, before)
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, float | np.float32 | np.float64):
            raise ValueError(f"The output of the `schedule` function should be a float. Got: {rate}")
        self.model.optimizer.learning_rate = rate
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if logs is not None:
            logs["learning_rate"] = float(np.float32(np.asarray(self.model.optimizer.learning_rate)))


class CSVLogger(Callback):
    """A line of a file for each epoch."""

    def __init__(self, filename: Any, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.sep, self.append = str(filename), separator, append
        self.writer: Any = None
        self.keys: Any = None
        self.csv_file: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        header = True
        if self.append:
            try:
                with open(self.filename) as file:
                    header = not file.readline()
            except FileNotFoundError:
                pass
        self._header = header
        self.csv_file = open(self.filename, "a" if self.append else "w", newline="")  # noqa: SIM115  (closed at the end)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        logs = logs or {}
        if self.keys is None:
            self.keys = sorted(logs)
            if not any(name.startswith("val_") for name in self.keys):  # they may come in a later epoch
                self.keys += [f"val_{name}" for name in self.keys]
        if self.writer is None:
            self.writer = csv.DictWriter(self.csv_file, ["epoch", *self.keys], delimiter=self.sep, lineterminator="\n")
            if self._header:
                self.writer.writeheader()
        self.writer.writerow({"epoch": epoch} | {name: logs.get(name, "NA") for name in self.keys})
        self.csv_file.flush()

    def on_train_end(self, logs: Any = None) -> None:
        self.csv_file.close()
        self.writer = None


class TerminateOnNaN(Callback):
    """Stops when the loss is no number."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        loss = (logs or {}).get("loss")
        if loss is not None and not np.isfinite(loss):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


CLASSES = {
    cls.__name__: cls for cls in (
        Callback, CallbackList, History, ProgbarLogger, LambdaCallback, EarlyStopping, ModelCheckpoint,
        ReduceLROnPlateau, LearningRateScheduler, CSVLogger, TerminateOnNaN, TensorBoard, BackupAndRestore,
    )
}  # fmt: skip
family("keras.callbacks", CLASSES)
