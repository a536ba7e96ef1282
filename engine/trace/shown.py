"""What a program showed and kept, from the journal: pictures and points of curves in order, and the files it left."""

from __future__ import annotations

import base64
import math
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.rows import FILE_BYTES, FILES, FILES_BYTES, PICTURE_BYTES, PICTURES_BYTES, Kind
from engine.trace.columns import Ints
from engine.trace.rows import Rows
from engine.trace.strings import clean

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LARGEST = 4096
_POINTS = 200_000


class Shown:
    """The lists ``pictures``, ``charts`` and ``files`` of a document; made once, each picture and curve once."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.pictures: list[dict[str, Any]] = []
        self.charts: list[dict[str, Any]] = []
        self.files: list[dict[str, Any]] = []
        self._picture_at: dict[int, int] = {}
        self._left = 2 * PICTURES_BYTES
        self._read_files()

    def lists(self) -> dict[str, list[dict[str, Any]]]:
        """Those of them that hold anything."""
        found = {"pictures": self.pictures, "charts": self.charts, "files": self.files}
        return {name: one for name, one in found.items() if one}

    def picture_column(self, offsets: list[int]) -> Ints:
        """The picture behind each offset of the heap, -1 for what is none."""
        return np.array([self._picture(offset) for offset in offsets], dtype=np.int64)

    def _picture(self, offset: int) -> int:
        if offset not in self._picture_at:
            data = self._rows.reader.bytes_at(offset) or b""
            whole = len(data) > 33 and data.startswith(_SIGNATURE + b"\0\0\0\rIHDR") and len(data) <= PICTURE_BYTES
            width, height = struct.unpack(">II", data[16:24]) if whole else (0, 0)
            sound = 0 < width <= _LARGEST and 0 < height <= _LARGEST and len(data) <= self._left
            self._picture_at[offset] = len(self.pictures) if sound else -1
            if sound:
                self._left -= len(data)
                self.pictures.append({"width": width, "height": height, "png": base64.b64encode(data).decode("ascii")})
        return self._picture_at[offset]

    def chart_columns(self, rows: NDArray[Any]) -> dict[str, Ints]:
        """The curve and the number of its point for each row; the points themselves go into ``charts``."""
        known: dict[str, int] = {}
        chart = np.full(len(rows), -1, dtype=np.int64)
        point = np.full(len(rows), -1, dtype=np.int64)
        height = rows["value"].copy().view("<f8").tolist()
        for at, (text, x, y) in enumerate(zip(rows["a"].tolist(), rows["b"].tolist(), height, strict=True)):
            name = clean(self._rows.text(text))
            number = known.setdefault(name, len(self.charts))
            if number == len(self.charts):
                self.charts.append({"name": name, "x": [], "y": []})
            if at >= _POINTS:
                break
            one = self.charts[number]
            chart[at], point[at] = number, len(one["x"])
            one["x"].append(x)
            one["y"].append(float(f"{y:.7g}") if math.isfinite(y) else str(y))
        return {"chart": chart, "point": point}

    def _read_files(self) -> None:
        reader, left = self._rows.reader, FILES_BYTES
        for row in reader.of_kind(Kind.FILE)[:FILES]:
            data = reader.bytes_at(int(row["blob"]), FILE_BYTES)
            if data is not None and len(data) > left:
                data = None
            left -= len(data or b"")
            size = len(data) if data is not None else max(int(row["duration"]), 0)
            kept = None if data is None else base64.b64encode(data).decode("ascii")
            self.files.append({"name": clean(reader.text_at(int(row["value"])))[:1000], "size": size, "data": kept})


__all__ = ["Shown"]
