"""``torch.utils.tensorboard``: what a program logs, in event files that TensorBoard reads; curves and pictures are in
the recording as well."""

from __future__ import annotations

import os
import time
from importlib import import_module
from typing import Any

import numpy as np

from engine import events
from engine.dialects.event_files.summary_data import histogram
from engine.dialects.event_files.wire import Float, message, record
from engine.dialects.torch.tensor import Tensor


def _numbers(given: Any) -> Any:
    return given._array if isinstance(given, Tensor) else np.asarray(given)


def _pixels(array: Any, order: str) -> Any:
    """A picture whose dimensions are named by ``order`` as height x width x 3 bytes."""
    if order == "HW":
        array, order = array[..., None], "HWC"
    array = np.transpose(array, [order.index(letter) for letter in "HWC"])
    if array.dtype != np.uint8:
        array = np.clip(array * 255, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(array, 3, axis=2) if array.shape[2] == 1 else array[..., :3])


class SummaryWriter:
    """Keeps numbers and histograms in an event file in ``log_dir``. Pictures are kept in the recording alone; the graph
    is what the page shows anyway."""

    __module__ = "torch.utils.tensorboard.writer"

    def __init__(
        self, log_dir: Any = None, comment: str = "", purge_step: int | None = None, max_queue: int = 10,
        flush_secs: int = 120, filename_suffix: str = "",
    ) -> None:  # fmt: skip
        self.log_dir = os.path.join("runs", f"run{comment}") if not log_dir else os.fspath(log_dir)
        self._steps: dict[str, int] = {}
        os.makedirs(self.log_dir, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.stepgraph{filename_suffix}"
        self._file: Any = open(os.path.join(self.log_dir, name), "ab")  # noqa: SIM115
        self._write([(3, "brain.Event:2")])

    def _write(self, entry: list[tuple[int, Any]], when: float | None = None) -> None:
        self._file.write(record(message([(1, time.time() if when is None else float(when)), *entry])))

    def _add(self, tag: str, number: int, value: Any, step: Any, when: float | None) -> None:
        summary = message([(1, message([(1, tag), (number, value)]))])
        self._write([(5, summary)] if step is None else [(2, int(step)), (5, summary)], when)

    def get_logdir(self) -> str:
        return self.log_dir

    def add_scalar(
        self, tag: str, scalar_value: Any, global_step: Any = None, walltime: float | None = None, **_: Any
    ) -> None:
        """Keep one number."""
        number = float(scalar_value)
        self._add(tag, 2, Float(number), global_step, walltime)
        if events.listener is not None:
            step = self._steps.get(tag, -1) + 1 if global_step is None else int(global_step)
            self._steps[tag] = step
            events.listener.charted(tag, step, number)

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
        array = values._array if isinstance(values, Tensor) else np.asarray(values)
        self._add(tag, 5, histogram(array), global_step, walltime)

    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Show a picture (0 to 1, or bytes)."""
        if events.listener is not None:
            events.listener.pictured(_pixels(_numbers(img_tensor), dataformats.upper()), "add_image", tag)

    def add_images(
        self, tag: str, img_tensor: Any, global_step: Any = None, walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:  # fmt: skip
        """Show a batch of pictures side by side."""
        if events.listener is not None:
            rows = [_pixels(one, dataformats.upper().replace("N", "")) for one in _numbers(img_tensor)]
            events.listener.pictured(np.concatenate(rows[:16], axis=1), "add_images", tag)

    def add_figure(
        self, tag: str, figure: Any, global_step: Any = None, close: bool = True, walltime: float | None = None
    ) -> None:
        """Show figures of matplotlib."""
        for one in figure if isinstance(figure, list) else [figure]:
            one.canvas.draw()
            if events.listener is not None:
                pixels = np.asarray(one.canvas.buffer_rgba())[..., :3]
                events.listener.pictured(pixels, "add_figure", tag)
            if close:
                import_module("matplotlib.pyplot").close(one)

    def add_text(self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None) -> None:
        """Nothing: text is best printed."""

    def add_graph(self, model: Any, input_to_model: Any = None, verbose: bool = False, **_: Any) -> None:
        """Nothing: the page shows the graph."""

    def add_hparams(self, hparam_dict: Any, metric_dict: Any, **_: Any) -> None:
        """Keep the metrics."""
        for tag, value in metric_dict.items():
            self.add_scalar(tag, value)

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
                f"'SummaryWriter' object has no attribute '{name}' in this teaching engine: it keeps scalars, "
                "histograms and pictures"
            )
        raise AttributeError(f"'SummaryWriter' object has no attribute '{name}'")
