"""``keras.callbacks.TensorBoard``: the numbers of ``fit`` in event files, and as curves of the recording."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from engine import events
from engine.dialects.event_files.summary_data import Summary, histogram
from engine.dialects.event_files.wire import message
from engine.dialects.tensorflow.keras.callbacks.base import Callback
from engine.dialects.tensorflow.summary import FileWriter

_LEFT_OUT = "no profiles, embeddings, images of weights or times are kept; the recording shows values and times itself"


class TensorBoard(Callback):
    """Keeps what each epoch ended with in ``log_dir/train`` and ``log_dir/validation``.

    With ``update_freq`` ("batch" or a number) it keeps every so many batches too, with ``histogram_freq`` how the
    weights are spread. The curves are called after their folder, ``train/epoch_loss``, as TensorBoard shows them. The
    graph is what the page shows anyway.
    """

    __module__ = "keras.src.callbacks.tensorboard"

    def __init__(
        self, log_dir: Any = "logs", histogram_freq: int = 0, write_graph: bool = True, write_images: bool = False,
        write_steps_per_second: bool = False, update_freq: Any = "epoch", profile_batch: Any = 0,
        embeddings_freq: int = 0, embeddings_metadata: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.log_dir = str(log_dir)
        self.histogram_freq, self.write_graph = histogram_freq, write_graph
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self._writers: dict[str, FileWriter] = {}
        self._batch = 0
        if events.listener is not None and (write_images or write_steps_per_second or profile_batch or embeddings_freq):
            events.listener.noted(f"TensorBoard: {_LEFT_OUT}.")

    def _keep(self, run: str, prefix: str, logs: dict[str, Any], step: int, suffix: str = "") -> None:
        values = [
            Summary.Value(tag=f"{prefix}_{name}{suffix}", simple_value=float(value)) for name, value in logs.items()
        ]
        if values:
            self._writer(run).add_summary(Summary(value=values), step)

    def _writer(self, run: str) -> FileWriter:
        if run not in self._writers:
            self._writers[run] = FileWriter(os.path.join(self.log_dir, run), heading=f"{run}/")
        return self._writers[run]

    def on_train_begin(self, logs: Any = None) -> None:
        self._batch = 0

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batch += 1
        if self.update_freq != "epoch" and self._batch % self.update_freq == 0:
            self._keep("train", "batch", logs or {}, self._batch)

    def on_test_end(self, logs: Any = None) -> None:
        optimizer = self.model.optimizer
        if optimizer is not None:
            self._keep("validation", "evaluation", logs or {}, int(optimizer.iterations), "_vs_iterations")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        found = logs or {}
        rate = float(np.asarray(self.model.optimizer.learning_rate))
        learned = {name: value for name, value in found.items() if not name.startswith("val_")}
        self._keep("train", "epoch", learned | {"learning_rate": rate}, epoch)
        checked = {name[4:]: value for name, value in found.items() if name.startswith("val_")}
        self._keep("validation", "epoch", checked, epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            for weight in (weight for layer in self.model.layers for weight in layer.weights):
                entry = [(1, f"{weight.path.replace(':', '_')}/histogram"), (5, histogram(weight._array))]
                self._writer("train").add_summary(message([(1, message(entry))]), epoch)

    def on_train_end(self, logs: Any = None) -> None:
        for writer in self._writers.values():
            writer.close()
        self._writers = {}
