"""The examples' recordings: made once by the runner, then kept in memory by the hash of the program."""

from __future__ import annotations

import hashlib
import logging
import threading

from app.documents import BadTraceError, Document
from app.examples import Example
from app.runner import Request
from app.web.desk import Desk

log = logging.getLogger(__name__)


class RecordedExamples:
    """Examples by id, each with its recording on demand."""

    def __init__(self, examples: tuple[Example, ...], desk: Desk) -> None:
        self._examples = {example.id: example for example in examples}
        self._desk = desk
        self._documents: dict[str, Document] = {}
        self._locks = {example.id: threading.Lock() for example in examples}

    def all(self) -> tuple[Example, ...]:
        return tuple(self._examples.values())

    def get(self, id: str) -> Example | None:
        return self._examples.get(id)

    def document(self, example: Example) -> Document:
        """The recording of ``example``, made now if it is not there yet. Raises :class:`BadTraceError`."""
        key = hashlib.sha256(example.source.encode()).hexdigest()
        with self._locks[example.id]:
            if key not in self._documents:
                request = Request(example.source, name=example.name, limits=self._desk.config.limits)
                self._documents[key] = self._desk.record(request)
            return self._documents[key]

    def record_all(self) -> threading.Thread:
        """Record every example in the background, the first one first."""

        def work() -> None:
            for example in self.all():
                try:
                    self.document(example)
                except BadTraceError as error:
                    if self._desk.closing.is_set():
                        return
                    log.warning("example %s could not be recorded: %s", example.id, error)

        thread = threading.Thread(target=work, name="examples", daemon=True)
        thread.start()
        return thread
