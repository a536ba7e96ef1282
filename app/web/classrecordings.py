"""The recordings of classes: one for each program that a class has been shown, the same for everybody in it.

They live in memory. After a restart the program, which stands in the class's log, is recorded anew when the first page
asks for it.
"""

from __future__ import annotations

import threading
from base64 import b64decode
from collections import OrderedDict

from app.classroom import Program
from app.documents import Document
from app.runner import Request
from app.web.desk import Desk

MOST_BYTES = 128 << 20
"""What all of them may hold, compressed; the one that was asked for longest ago is forgotten first."""
_Key = tuple[str, int]


class ClassRecordings:
    """Thread-safe; many pages that ask for one recording wait for one run of it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._documents: OrderedDict[_Key, Document] = OrderedDict()
        self._making: dict[_Key, threading.Lock] = {}

    def get(self, code: str, number: int, program: Program) -> Document:
        """The recording of a program of a class, made now if it is not there. Raises
        :class:`app.documents.BadTraceError`."""
        key = code, number
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._documents:
                    self._documents.move_to_end(key)
                    return self._documents[key]
            made = self.record(program)
            self.keep(code, number, made)
            return made

    def record(self, program: Program) -> Document:
        """Run a program and give its recording. Raises :class:`app.documents.BadTraceError`."""
        files = tuple((name, b64decode(data)) for name, data in program.files)
        limits = self._desk.config.limits
        return self._desk.record(
            Request(program.source, name=program.name, stdin=program.stdin, files=files, limits=limits)
        )

    def keep(self, code: str, number: int, document: Document) -> None:
        with self._lock:
            self._documents[code, number] = document
            while (
                sum(len(one.compressed) for one in self._documents.values()) > MOST_BYTES and len(self._documents) > 1
            ):
                oldest, _ = self._documents.popitem(last=False)
                self._making.pop(oldest, None)

    def forget(self, code: str) -> None:
        """The class has ended."""
        with self._lock:
            for key in [key for key in self._documents if key[0] == code]:
                del self._documents[key]
                self._making.pop(key, None)
