"""``tf.Summary``, events and histograms: data in TensorFlow's own formats."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dialects.event_files.wire import Float, fields, message


class HistogramProto:
    """How values are spread: ``bucket[i]`` of them lie below ``bucket_limit[i]``."""

    _NAMES = {1: "min", 2: "max", 3: "num", 4: "sum", 5: "sum_squares"}  # noqa: RUF012

    def __init__(self, data: bytes = b"") -> None:
        self.min = self.max = self.num = self.sum = self.sum_squares = 0.0
        self.bucket_limit: list[float] = []
        self.bucket: list[float] = []
        for number, value in fields(data):
            if number in self._NAMES:
                setattr(self, self._NAMES[number], value)
            elif number in (6, 7):
                getattr(self, "bucket_limit" if number == 6 else "bucket").extend(np.frombuffer(value, "<f8").tolist())


@cache
def _limits() -> NDArray[np.float64]:
    found, value = [], 1e-12
    while value < 1e20:
        found.append(value)
        value *= 1.1
    found.append(np.finfo(np.float64).max)
    return np.array([*(-x for x in reversed(found)), 0.0, *found])


def histogram(values: NDArray[Any]) -> bytes:
    """A ``HistogramProto`` in TensorFlow's buckets; runs of empty ones are left out.

    >>> h = HistogramProto(histogram(np.array([1.0, 3.0])))
    >>> h.num, h.sum, h.min, h.max, sum(h.bucket)
    (2.0, 4.0, 1.0, 3.0, 2.0)
    """
    flat = np.asarray(values, np.float64).ravel()
    if not np.isfinite(flat).all():
        raise ValueError("Nan in summary histogram")
    places = np.searchsorted(_limits(), flat, side="right")
    counts = np.bincount(places, minlength=len(_limits()))
    shown = (counts > 0) | (np.append(counts[1:], 0) > 0)
    low, high = (flat.min(), flat.max()) if flat.size else (np.finfo(np.float64).max, -np.finfo(np.float64).max)
    return message([
        (1, float(low)), (2, float(high)), (3, float(flat.size)), (4, float(flat.sum())), (5, float((flat**2).sum())),
        (6, _limits()[shown].tolist()), (7, counts[shown].astype(float).tolist()),
    ])  # fmt: skip


class Value:
    """One entry of a summary: a ``tag``, and ``simple_value`` or ``histo``."""

    def __init__(self, tag: str = "", simple_value: float | None = None, histo: Any = None, **_other: Any) -> None:
        self.tag = tag
        self._simple, self._histo = simple_value, histo

    @property
    def simple_value(self) -> float:
        return 0.0 if self._simple is None else float(np.float32(self._simple))

    @simple_value.setter
    def simple_value(self, value: float) -> None:
        self._simple = value

    @property
    def histo(self) -> HistogramProto:
        return HistogramProto() if self._histo is None else self._histo

    def HasField(self, name: str) -> bool:
        found = {"simple_value": self._simple, "histo": self._histo}
        return found.get(name) is not None

    def WhichOneof(self, name: str) -> str | None:
        return next((name for name in ("simple_value", "histo") if self.HasField(name)), None)

    def __str__(self) -> str:
        text = f'tag: "{self.tag}"\n' if self.tag else ""
        if self._simple is not None:
            number = str(np.float32(self._simple)).removesuffix(".0")
            text += f"simple_value: {number}\n"
        return text

    __repr__ = __str__

    def _message(self) -> bytes:
        if self._simple is None:
            return message([(1, self.tag)])
        return message([(1, self.tag), (2, Float(self._simple))])


class Summary:
    """Entries for a writer; ``tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=0.5)])``."""

    Value = Value

    def __init__(self, value: Any = ()) -> None:
        self.value = _Values(value)
        self._raw: bytes = b""

    def __str__(self) -> str:
        return "".join(
            "value {\n" + "".join(f"  {line}\n" for line in str(value).splitlines()) + "}\n" for value in self.value
        )

    __repr__ = __str__

    def SerializeToString(self) -> bytes:
        return self._raw or b"".join(message([(1, value._message())]) for value in self.value)

    def ParseFromString(self, data: bytes) -> int:
        """Read a serialised summary. :raises ValueError: it is none."""
        self._raw = bytes(data)
        self.value = _Values(_value(entry) for number, entry in fields(self._raw) if number == 1)
        return len(data)

    @classmethod
    def FromString(cls, data: bytes) -> Summary:
        found = cls()
        found.ParseFromString(data)
        return found


class _Values(list[Value]):
    def add(self, **given: Any) -> Value:
        self.append(Value(**given))
        return self[-1]


def _value(data: bytes) -> Value:
    found = Value()
    for number, value in fields(data):
        if number == 1:
            found.tag = value.decode("utf-8", "replace")
        elif number == 2:
            found.simple_value = value
        elif number == 5:
            found._histo = HistogramProto(value)
    return found


class Event:
    """One entry of an event file."""

    def __init__(self, data: bytes) -> None:
        self.wall_time, self.step, self.file_version = 0.0, 0, ""
        self.summary = Summary()
        self._present: set[str] = set()
        for number, value in fields(data):
            if number == 1:
                self.wall_time = value
            elif number == 2:
                self.step = value - (1 << 64) if value >> 63 else value
            elif number == 3:
                self.file_version = value.decode()
                self._present.add("file_version")
            elif number == 5:
                self.summary = Summary.FromString(value)
                self._present.add("summary")

    def HasField(self, name: str) -> bool:
        return name in self._present
