"""``keras.callbacks.BackupAndRestore``: training that goes on where it was interrupted."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from engine.dialects.tensorflow.keras.callbacks.base import Callback


class BackupAndRestore(Callback):
    """Saves weights, optimizer and epoch after each epoch (or some batches); a ``fit`` cut off goes on there."""

    __module__ = "keras.src.callbacks.backup_and_restore"

    def __init__(
        self, backup_dir: Any, save_freq: Any = "epoch", double_checkpoint: bool = False, delete_checkpoint: bool = True
    ) -> None:
        super().__init__()
        if not backup_dir:
            raise ValueError("Empty `backup_dir` argument passed")
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(
                f"Invalid value for argument `save_freq`. Received: save_freq={save_freq}. Expected either 'epoch' or "
                "an integer value."
            )
        self.backup_dir, self.save_freq = os.fspath(backup_dir), save_freq
        self.double_checkpoint, self.delete_checkpoint = double_checkpoint, delete_checkpoint
        self._weights = os.path.join(self.backup_dir, "latest.weights.h5")
        self._place = os.path.join(self.backup_dir, "training_metadata.json")
        self._epoch = self._last_batch = self._unsaved = 0

    def on_train_begin(self, logs: Any = None) -> None:
        if not self.model.built:
            raise ValueError(
                "To use the BackupAndRestore callback, you model must be built before you call `fit()`. Model "
                f"{self.model} is unbuilt. You can build it beforehand by calling it on a batch of data."
            )
        try:
            self._restore()
        except (OSError, ValueError):
            if not os.path.exists(f"{self._weights}.bkp"):
                raise
            for path in (self._weights, self._place):
                if os.path.exists(f"{path}.bkp"):
                    shutil.copyfile(f"{path}.bkp", path)
                elif os.path.exists(path):
                    os.remove(path)
            self._restore()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._epoch, self._last_batch = epoch + 1, 0
        if self.save_freq == "epoch":
            self._save()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if self.save_freq == "epoch":
            return
        self._unsaved += batch + 1 if batch <= self._last_batch else batch - self._last_batch
        self._last_batch = batch
        if self._unsaved >= self.save_freq:
            self._unsaved = 0
            self._save()

    def on_train_end(self, logs: Any = None) -> None:
        if self.delete_checkpoint and os.path.exists(self.backup_dir):
            shutil.rmtree(self.backup_dir)

    def _restore(self) -> None:
        if os.path.exists(self._weights):
            optimizer = self.model.optimizer
            if optimizer is not None and not optimizer.built:
                optimizer.build(self.model.trainable_variables)
            self.model.load_weights(self._weights)
        if os.path.exists(self._place):
            with open(self._place) as file:
                self.model._initial_epoch = json.load(file)["epoch"]

    def _save(self) -> None:
        os.makedirs(self.backup_dir, exist_ok=True)
        for path in (self._weights, self._place):
            if self.double_checkpoint and os.path.exists(path):
                shutil.copyfile(path, f"{path}.bkp")
        self.model.save_weights(self._weights, overwrite=True)
        with open(self._place, "w") as file:
            json.dump({"epoch": self._epoch, "batch": self._last_batch}, file)
