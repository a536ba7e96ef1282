"""One machine's share of the work: takes runs from the task queue, does them in a sandbox of its own, tells what
happens in them."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import redis

from app.cluster.client import client
from app.cluster.crew import BEAT, Crew
from app.cluster.ledger import Ledger, orders_key
from app.cluster.packed import pack_document
from app.cluster.reader import Reader
from app.cluster.remote import LOST
from app.cluster.tasks import TaskWorker
from app.cluster.wire import unpack
from app.documents import BadTraceError, Document, Finisher, measurement
from app.runner.backend import BackendError
from app.runner.followed import FINAL
from app.runner.interface import RunLike, RunnerLike

log = logging.getLogger(__name__)

_PAUSE = 0.05
"""Seconds between two messages of one run: what happens in between is told together."""
_RETRY = 0.5
_PATIENCE = 120.0
"""Seconds for which a worker tries to tell how a run has ended while Redis is away."""
_T = TypeVar("_T")


class Worker:
    """``slots`` programs at a time through ``runner``, their documents through ``finisher``; both stay the caller's."""

    def __init__(
        self, runner: RunnerLike, finisher: Finisher, url: str, *, slots: int = 2, max_trace_bytes: int = 64 << 20
    ) -> None:
        self.name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}"
        self._runner, self._finisher = runner, finisher
        self._slots = slots
        self._max_trace_bytes = max_trace_bytes
        self._redis = client(url)
        self._ledger = Ledger(self._redis)
        self._crew = Crew(self._redis)
        self._reader = Reader(client(url))
        self._tasks = TaskWorker(client(url), self._perform, slots)
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._under_way = 0
        self._idle = threading.Condition(self._lock)

    def start(self) -> None:
        """Take runs from now on. Raises ``redis.RedisError`` if Redis is away."""
        self._runner.start()
        self._crew.sign(self.name, self._slots)
        self._reader.start()
        threading.Thread(target=self._beat, name="beat", daemon=True).start()
        self._tasks.start()

    def stop(self, seconds: float) -> None:
        """Take no more; let what is under way come to its end for so many seconds, programs that ask included."""
        end = time.monotonic() + seconds
        self._closing.set()
        self._while_away(lambda: self._crew.leave(self.name), 0)
        self._tasks.stop(seconds)
        with self._idle:
            self._idle.wait_for(lambda: self._under_way == 0, max(0.0, end - time.monotonic()))
        self._reader.close()

    def _beat(self) -> None:
        while not self._closing.wait(BEAT):
            try:
                self._crew.sign(self.name, self._slots)
            except redis.RedisError as error:
                log.warning("Redis cannot be reached: %s", error)

    # -- one run -------------------------------------------------------------------------------------------------------

    def _perform(self, id: str) -> None:
        """Do a run: until it has ended, or asks for input. Then it is ours alone, and the place is free for others."""
        claimed = self._while_away(lambda: self._ledger.claim(id, self.name), _PATIENCE)
        if claimed is None or not claimed[0]:
            return
        attempt, payload = claimed
        if attempt < 0:
            self._end(id, -attempt, {"state": "failed", "error": LOST})
            return
        request, measure = unpack(payload)
        try:
            run = self._runner.measure(request, measure) if measure else self._runner.submit(request)
        except BackendError as error:
            self._end(id, attempt, {"state": "failed", "error": f"Programs cannot be run now: {error}."})
            return
        released = threading.Event()
        with self._idle:
            self._under_way += 1
        threading.Thread(target=self._follow, args=(id, attempt, run, released), name=f"run-{id}", daemon=True).start()
        released.wait()

    def _follow(self, id: str, attempt: int, run: RunLike, released: threading.Event) -> None:
        self._reader.watch(orders_key(id), lambda fields: _obey(run, fields))
        try:
            if self._tell_all(id, attempt, run, released):
                self._tell_end(id, attempt, run)
        except Exception:
            log.exception("run %s could not be told", id)
            run.cancel()
        finally:
            self._reader.leave(orders_key(id))
            released.set()
            with self._idle:
                self._under_way -= 1
                self._idle.notify_all()

    def _tell_all(self, id: str, attempt: int, run: RunLike, released: threading.Event) -> bool:
        """Tell what happens until it ends. False: nobody wants to hear it any more."""
        seen, sent = 0, 0
        told: dict[str, Any] = {}
        while True:
            ended = run.wait(0)
            text, line = run.output_so_far()
            now: dict[str, Any] = {"line": line, "question": run.question, "asked": run.asked}
            # The last state is told with the document.
            now["state"] = "building" if run.state in FINAL else run.state
            if (progress := run.progress()) is not None:
                now["progress"] = progress
            news = {key: value for key, value in now.items() if told.get(key) != value}
            if len(text) > sent:
                news["more"] = text[sent:]
            if news:
                tell = partial(self._ledger.tell, id, attempt, news, asked=now["asked"])
                wanted = self._while_away(tell, 0)
                if wanted is False:
                    run.cancel()
                    return False
                if wanted:  # else once more, with what has been added
                    told, sent = now, len(text)
            if now["asked"]:
                released.set()
            if ended:
                return True
            seen = run.wait_change(seen, 1.0 if news and wanted else _RETRY)
            time.sleep(_PAUSE)

    def _tell_end(self, id: str, attempt: int, run: RunLike) -> None:
        if run.state == "cancelled":
            self._end(id, attempt, {"state": "cancelled"})
            return
        try:
            document = self._document(run)
        except BadTraceError as error:
            self._end(id, attempt, {"state": "failed", "error": str(error)})
            return
        self._end(id, attempt, {"state": "done"}, pack_document(document))

    def _document(self, run: RunLike) -> Document:
        if run.trace is None:
            raise BadTraceError(run.error or "The run left no recording.")
        if run.progress() is not None:
            return measurement(run.trace)
        return self._finisher.finish(run.trace, self._max_trace_bytes)

    def _while_away(self, ask: Callable[[], _T], seconds: float) -> _T | None:
        """The answer of Redis, asked again for so many seconds while it is away, once at the end of this worker; None
        if it stays away."""
        end = time.monotonic() + seconds
        while True:
            try:
                return ask()
            except redis.RedisError as error:
                log.warning("Redis cannot be reached: %s", error)
                if time.monotonic() >= end or self._closing.wait(_RETRY):
                    return None

    def _end(self, id: str, attempt: int, news: Mapping[str, Any], document: bytes = b"") -> None:
        if not self._while_away(lambda: self._ledger.finish(id, attempt, news, document), _PATIENCE):
            log.warning("nobody waits any more for run %s", id)


def _obey(run: RunLike, fields: Mapping[bytes, bytes]) -> None:
    for what, text in fields.items():
        if what == b"cancel":
            run.cancel()
        elif what == b"halt":
            run.halt()
        elif what == b"eof":
            run.end_input()
        elif what == b"answer":
            run.answer(text.decode("utf-8", "surrogatepass"))
