"""``tf.summary``: what a program keeps for TensorBoard becomes charts of the recording."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.late import contrib

_recording = [True]


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Summaries inside are kept if ``condition`` holds."""
    before, _recording[0] = _recording[0], bool(condition() if callable(condition) else condition)
    try:
        yield
    finally:
        _recording[0] = before


def scalar(name: str, data: Any, step: Any = None, description: Any = None) -> Any:
    """Keep a number."""
    return _kept(name, data, step)


def histogram(name: str, data: Any, step: Any = None, buckets: Any = None, description: Any = None) -> Any:
    """Keep the mean of many numbers: the recording has all of them."""
    from engine.dialects.tensorflow.eager.math_ops import FUNCTIONS

    return _kept(f"{name} (mean)", FUNCTIONS["reduce_mean"](FUNCTIONS["cast"](convert(data), "float32")), step)


_step: list[Any] = [None]


class _Experimental:
    """``tf.summary.experimental``."""

    @staticmethod
    def set_step(step: Any) -> None:
        _step[0] = step

    @staticmethod
    def get_step() -> Any:
        return _step[0]


def _kept(name: str, data: Any, step: Any) -> Any:
    place = _step[0] if step is None else step
    if place is None:
        raise ValueError(
            "No step set. Please specify one either through the `step` argument or through "
            "tf.summary.experimental.set_step()"
        )
    if _recording[0]:
        with contrib.always_record_summaries():
            contrib.scalar(name, convert(data), step=int(place))
    return convert(_recording[0])


NAMES: dict[str, Any] = {
    "create_file_writer": contrib.create_file_writer, "scalar": scalar, "histogram": histogram,
    "record_if": record_if, "experimental": _Experimental,
    "should_record_summaries": lambda: convert(_recording[0]), "flush": lambda writer=None, name=None: None,
    # What graphs and profiles there are, the recording shows by itself.
    "trace_on": lambda *_, **__: None, "trace_off": lambda: None, "trace_export": lambda *_, **__: None,
}  # fmt: skip
