"""``torch.utils.tensorboard``: what a program logs, in event files that TensorBoard reads."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from engine.dialects.torch.tensor import Tensor


class SummaryWriter:
    """Keeps numbers, histograms and text in an event file in ``log_dir``. Pictures and graphs are left out: the page
    shows the graph."""

    __module__ = "torch.utils.tensorboard.writer"

    def __init__(
        self, log_dir: Any = None, comment: str = "", purge_step: int | None = None, max_queue: int = 10,
        flush_secs: int = 120, filename_suffix: str = "",
    ) -> None:  # fmt: skip
        self.log_dir = os.path.join("runs", f"run{comment}") if not log_dir else os.fspath(log_dir)
        os.makedirs(self.log_dir, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.stepgraph{filename_suffix}"
        self._file: Any = open(os.path.join(self.log_dir, name), "ab")  # noqa: SIM115
        self._write([(3, "brain.Event:2")])

    def _write(self, entry: list[tuple[int, Any]], when: float | None = None) -> None:
        from engine.dialects.tensorflow.wire import message, record  # the format is TensorFlow's; rarely needed

        self._file.write(record(message([(1, time.time() if when is None else float(when)), *entry])))

    def _add(self, tag: str, number: int, value: Any, step: Any, when: float | None) -> None:
        from engine.dialects.tensorflow.wire import message

        summary = message([(1, message([(1, tag), (number, value)]))])
        self._write([(5, summary)] if step is None else [(2, int(step)), (5, summary)], when)

    def get_logdir(self) -> str:
        return self.log_dir

    def add_scalar(
        self, tag: str, scalar_value: Any, global_step: Any = None, walltime: float | None = None, **_: Any
    ) -> None:
        """Keep one number."""
        from engine.dialects.tensorflow.wire import Float

        self._add(tag, 2, Float(float(scalar_value)), global_step, walltime)

    def add_scalars(
        self, main_tag: str, tag_scalar_dict: dict[str, Any], global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Keep several numbers under one heading."""
        for tag, value in tag_scalar_dict.items():
            self.add_scalar(f"{main_tag}/{tag}", value, global_step, walltime)

    def add_histogram(
        self, tag: str, values: Any, global_step: Any = None, bins: Any = "tensorflow", walltime: float | None = None
    ) -> None:
        """Keep how values are spread."""
        from engine.dialects.tensorflow.summary_data import histogram

        array = values._array if isinstance(values, Tensor) else np.asarray(values)
        self._add(tag, 5, histogram(array), global_step, walltime)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("add_"):
            raise AttributeError(
                f"'SummaryWriter' object has no attribute '{name}' in this teaching engine: it keeps scalars and "
                "histograms"
            )
        raise AttributeError(f"'SummaryWriter' object has no attribute '{name}'")
