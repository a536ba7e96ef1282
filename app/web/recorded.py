"""Recordings of the programs that come with Stepgraph: made once by the runner, then kept in memory by their text."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable
from typing import Protocol

from app.documents import BadTraceError, Document
from app.examples import Example
from app.runner import Request
from app.web.desk import Desk

log = logging.getLogger(__name__)


class Kept(Protocol):
    """A program that comes with Stepgraph."""

    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...


class Recordings:
    """A recording of each program, on demand."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._documents: dict[str, Document] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def document(self, program: Kept) -> Document:
        """The recording of ``program``, made now if it is not there yet. Raises :class:`BadTraceError`."""
        key = hashlib.sha256(f"{program.name}\n{program.source}".encode()).hexdigest()
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._documents:
                request = Request(program.source, name=program.name, limits=self._desk.config.limits)
                self._documents[key] = self._desk.record(request)
            return self._documents[key]

    def make(self, programs: Iterable[Kept]) -> threading.Thread:
        """Record ``programs`` in the background, the first one first."""

        def work() -> None:
            for program in programs:
                try:
                    self.document(program)
                except BadTraceError as error:
                    if self._desk.closing.is_set():
                        return
                    log.warning("%s could not be recorded: %s", program.name, error)

        thread = threading.Thread(target=work, name="recordings", daemon=True)
        thread.start()
        return thread


class RecordedExamples:
    """Examples by id, each with its recording on demand."""

    def __init__(self, examples: tuple[Example, ...], recordings: Recordings) -> None:
        self._examples = {example.id: example for example in examples}
        self._recordings = recordings

    def all(self) -> tuple[Example, ...]:
        return tuple(self._examples.values())

    def get(self, id: str) -> Example | None:
        return self._examples.get(id)

    def document(self, example: Example) -> Document:
        """The recording of ``example``. Raises :class:`BadTraceError`."""
        return self._recordings.document(example)

    def record_all(self) -> threading.Thread:
        """Record every example in the background."""
        return self._recordings.make(self.all())
