"""The runs that the server remembers: bounded in number, bytes and age, oldest forgotten first."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal

from app.documents import Document
from app.runner.interface import RunLike

State = Literal["queued", "running", "asking", "building", "done", "cancelled", "failed"]
FINAL: frozenset[str] = frozenset({"done", "cancelled", "failed"})


class Record:
    """One run as the server knows it. Finished, it lets go of ``run`` and has ``document`` or ``problem`` instead.

    ``session`` is the browser session whose run it is; None: whoever knows the ``id``, which nobody can guess.
    ``outlives``: other web processes know the run too, and it goes on when this one ends.
    """

    def __init__(self, session: str | None, run: RunLike, *, id: str = "", outlives: bool = False) -> None:
        self.id = id or secrets.token_urlsafe(16)
        self.outlives = outlives
        self.session = session
        self.run: RunLike | None = run
        self.created = time.monotonic()
        self.document: Document | None = None
        self.problem: str | None = None
        self._final: State | None = None
        self._unwanted = False
        self._ending = threading.Lock()
        self._finished = threading.Event()
        self._streams = 0
        self._left = False
        self._seen = self.created

    def seen(self) -> None:
        """Somebody asks for it."""
        self._seen = time.monotonic()

    def follow(self) -> None:
        """A stream of it has been opened."""
        with self._ending:
            self._streams += 1

    def leave(self) -> None:
        """One has been closed."""
        with self._ending:
            self._streams -= 1
            self._left = True
        self.seen()

    def alone(self, seconds: float) -> bool:
        """Whether it was followed and nobody has followed it, or asked for it, for so long."""
        return self._left and self._streams == 0 and time.monotonic() - self._seen >= seconds

    @property
    def state(self) -> State:
        """The run's state. It is ``done`` only when the document is here: laying out counts as ``building``."""
        if self._final is not None:
            return self._final
        run = self.run
        state = run.state if run is not None else "building"
        if state == "queued":
            return "queued"
        if state == "running":
            return "running"
        if state == "asking":
            return "asking"
        return "building"

    @property
    def bytes(self) -> int:
        return len(self.document.compressed) if self.document else 0

    def finish(self, state: State, *, document: Document | None = None, problem: str | None = None) -> None:
        """Note how it ended and let go of the run."""
        with self._ending:
            if self._unwanted:
                state, document, problem = "cancelled", None, None
            self.document, self.problem, self._final = document, problem, state
            self.run = None
        self._finished.set()

    def free(self) -> None:
        """Let go of what a finished run left, or will leave: from then on it counts as stopped."""
        with self._ending:
            self._unwanted = True
            if self._final is not None:
                self.document, self.problem, self._final = None, None, "cancelled"

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the run is finished; False when ``timeout`` seconds pass before."""
        return self._finished.wait(timeout)


class RunStore:
    """Finished runs up to ``max_runs``, ``max_bytes`` (compressed) and ``max_age`` seconds; unfinished ones always."""

    def __init__(
        self, max_runs: int, max_bytes: int, max_age: float, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_runs = max_runs
        self._max_bytes = max_bytes
        self._max_age = max_age
        self._clock = clock
        self._lock = threading.Lock()
        self._records: OrderedDict[str, Record] = OrderedDict()

    def add(self, record: Record) -> None:
        record.created = self._clock()
        with self._lock:
            self._records[record.id] = record
            self._evict()

    def get(self, id: str) -> Record | None:
        with self._lock:
            self._evict()
            return self._records.get(id)

    def trim(self) -> None:
        """Forget what is too much. Called when a run has grown to its final size."""
        with self._lock:
            self._evict()

    def unfinished(self) -> int:
        with self._lock:
            return sum(record.state not in FINAL for record in self._records.values())

    def _evict(self) -> None:
        finished = [record for record in self._records.values() if record.state in FINAL]
        number, size = len(finished), sum(record.bytes for record in finished)
        oldest = self._clock() - self._max_age
        for record in finished:
            if number <= self._max_runs and size <= self._max_bytes and record.created >= oldest:
                return
            del self._records[record.id]
            number -= 1
            size -= record.bytes
