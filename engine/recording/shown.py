"""What a program shows and keeps besides text: pictures, curves, notices, files. All of it is bounded."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.events import clock
from engine.recording.interning import bounded
from engine.recording.journal import SPARE_ROWS, JournalFullError
from engine.recording.meta import note
from engine.recording.png import png
from engine.recording.regions import RegionRows
from engine.recording.rows import FILE_BYTES, FILES, FILES_BYTES, PICTURE_BYTES, PICTURES_BYTES, Kind

_NAME = 200
_FULL = "The recording has room for 4 MB of pictures: of the later ones only some are kept."


class ShownRows(RegionRows):
    """The part of a :class:`engine.events.Listener` that is about what a program shows."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._pictures: dict[bytes, int] = {}
        self._picture_bytes = 0
        self._skipped = 0
        self._noted: set[str] = set()

    def pictured(self, pixels: Any, how: str, name: str = "") -> None:
        started = clock()
        stride = 1 << min((self._picture_bytes * 4 // PICTURES_BYTES - 1) * 2, 8) if self._crowded() else 1
        if stride > 1:
            self.noted(_FULL)
            self._skipped += 1
            if self._skipped % stride or self._picture_bytes > PICTURES_BYTES:
                self.overhead += clock() - started
                return
        array = np.asarray(pixels)
        if array.ndim != 3 or array.shape[2] != 3 or array.dtype != np.uint8 or not array.size:
            return
        longest = 800
        data, width, height = png(array, longest)
        while len(data) > PICTURE_BYTES and longest > 50:
            longest = longest * 2 // 3
            data, width, height = png(array, longest)
        key = hashlib.blake2b(data, digest_size=16).digest()
        offset = self._pictures.get(key, -1)
        try:
            if offset < 0:
                offset = self._pictures[key] = self.journal.put_bytes(data)
                self._picture_bytes += len(data)
            string = self.tables.string
            words = {"b": string(bounded(how, _NAME)), "c": string(bounded(name, _NAME))}
        except JournalFullError:
            raise self.reach("steps") from None
        self._row(started, Kind.PICTURE, d=width, e=height, blob=offset, **words)

    def _crowded(self) -> bool:
        return self._picture_bytes * 2 > PICTURES_BYTES

    def charted(self, chart: str, x: int, y: float) -> None:
        started = clock()
        if started > self.deadline:
            raise self.late()
        line, _ = self.positions.here(2)
        x = min(max(int(x), -(1 << 31)), (1 << 31) - 1)
        time = started - self.base - self.overhead
        try:
            name = self.tables.string(bounded(chart, _NAME))
            self.journal.append_float(Kind.CHARTED, line, self.frame, name, x, float(y), time)
        except JournalFullError:
            raise self.reach("steps") from None
        self.overhead += clock() - started

    def passed(self, loop: str, first: bool) -> None:
        self.of_library(loop, self.positions.here(2), first)

    def of_library(self, loop: str, place: tuple[int, int], first: bool) -> None:
        """Where passes of a library's loops go: nowhere, unless a :class:`Program` takes them."""

    def noted(self, text: str) -> None:
        if text in self._noted or len(self._noted) > 50:
            return
        self._noted.add(text)
        try:
            note(self.journal, bounded(text, 1000))
        except JournalFullError:
            raise self.reach("steps") from None

    def keep_files(self, files: Iterable[tuple[str, bytes]]) -> None:
        """The files that the program leaves, by name: contents up to ``FILE_BYTES`` each and ``FILES_BYTES`` in all."""
        left = FILES_BYTES
        self.journal.row_limit = max(self.journal.row_limit, self.journal.sizes.rows - SPARE_ROWS)
        try:
            for count, (name, data) in enumerate(files):
                if count >= FILES:
                    note(self.journal, f"The program wrote more than {FILES} files: only the first are kept.")
                    return
                fits = len(data) <= min(FILE_BYTES, left)
                text = self.journal.put_bytes(bounded(name, 1000).encode("utf-8", "backslashreplace"))
                blob = self.journal.put_bytes(data) if fits else -1
                left -= len(data) if fits else 0
                self.journal.append(Kind.FILE, value=text, blob=blob, duration=len(data))
        except JournalFullError:
            return
        except Exception as error:  # the program can reach what holds its files, and may have broken it
            note(self.journal, f"The program's files could not be read at its end: {type(error).__name__}.")


__all__ = ["ShownRows"]
