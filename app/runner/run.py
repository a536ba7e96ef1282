"""One run, as those see it who asked for it."""

from __future__ import annotations

import secrets
import threading
from typing import Protocol

from .backend import Job
from .followed import FINAL, Followed, State
from .journal_file import JournalFile
from .request import Request

_PROMPT_CHARACTERS = 500


class Queue(Protocol):
    """Where a run waits for its turn."""

    def place(self, run: Run) -> int: ...
    def expected_wait(self, run: Run) -> float: ...
    def withdraw(self, run: Run) -> bool: ...


class Run(Followed):
    """A program on its way through the runner. Every method may be called from any thread.

    ``trace`` is the trace document as JSON (UTF-8) when ``state`` is ``"done"``; ``exit_status`` the program's own,
    124 when a limit ended it; ``error`` says what was our own fault when ``state`` is ``"failed"``.
    """

    def __init__(self, request: Request, queue: Queue) -> None:
        super().__init__()
        self.id = secrets.token_urlsafe(16)
        self.request = request
        self.trace: bytes | None = None
        self.exit_status = -1
        self.error: str | None = None
        self.cancelled = threading.Event()
        self.halted = False
        """Whether its program was ended before its time, by whoever had started it."""
        self.asked = False
        """Whether it ever waited for input."""
        self._queue = queue
        self._journal: JournalFile | None = None
        self._last = ("", -1)
        self._job: Job | None = None
        self._question = self._answered = 0
        self._taken: list[tuple[int, bytes]] | None = None
        self._taken_to = (0, 0)

    @property
    def state(self) -> State:
        """``queued``, ``running`` (and ``asking`` while an interactive program waits for input), ``building``, then one
        of ``done``, ``cancelled``, ``failed``."""
        return self._state

    @property
    def question(self) -> int:
        """The number of the question that the program waits with while it is ``asking``."""
        return self._question

    def queue_place(self) -> int:
        """How many runs have to begin before this one, it included; 0 once it runs."""
        return self._queue.place(self) if self._state == "queued" else 0

    def expected_wait(self) -> float:
        """Seconds until it probably begins, by how long others took; 0 once it runs."""
        return self._queue.expected_wait(self) if self._state == "queued" else 0.0

    def progress(self) -> tuple[int, int] | None:
        """How many repeats of a measurement are done: this is none."""
        return None

    def output_so_far(self) -> tuple[str, int]:
        """The program's output until now and the line it is at (-1: none yet). Stays as it was when the run has
        ended."""
        with self._changed:
            if self._journal is not None:
                self._last = (self._journal.output(), self._journal.line())
            return self._last

    def take_output(self) -> list[tuple[int, bytes]]:
        """``(stream, bytes)`` of what the program has printed since the last call: 1, 2, or 0 for an answer that it got
        from ``input``. Nothing is lost if the first call comes before the run has ended."""
        with self._changed:
            self._collect()
            pieces, self._taken = self._taken or [], []
            return pieces

    def prompt(self) -> str:
        """The last line of the output so far, where a program that asks has printed its question."""
        return self.output_so_far()[0].rpartition("\n")[2][-_PROMPT_CHARACTERS:]

    def answer(self, text: str) -> bool:
        """Give a line to a program that asks; False if it does not ask (any more)."""
        return self._reply((text + "\n").encode("utf-8", "replace"))

    def end_input(self) -> bool:
        """Tell a program that asks that there is no more input; False if it does not ask (any more)."""
        return self._reply(b"")

    def feed(self, data: bytes) -> bool:
        """Give bytes to an interactive program whether it asks or not, and wait while 64 kB are unread. ``b""``: there
        are no more. False when nobody will read them."""
        job = self._job
        if job is None or self._state not in ("running", "asking"):
            return False
        try:
            job.feed(data) if data else job.end_input()
        except (OSError, ValueError):
            return False
        return True

    def cancel(self) -> None:
        """End the run, wherever it is. Nothing happens to one that has ended."""
        self.cancelled.set()
        if self._queue.withdraw(self):
            self.finish("cancelled")
            return
        job = self._job
        if job is not None:
            job.kill()

    def halt(self) -> bool:
        """End the program now and keep what it has recorded; False if it does not run (yet, or any more)."""
        with self._changed:
            job = self._job
            if job is None or self._state not in ("running", "asking"):
                return False
            self.halted = True
        job.kill()
        return True

    def _reply(self, data: bytes) -> bool:
        with self._changed:
            if self._state != "asking":
                return False
            self._state = "running"
            self._answered = self._question
            self._tell()
        return self.feed(data)

    def _collect(self) -> None:
        """Move what is new in the journal to what will be taken."""
        if self._taken is None:
            self._taken = []
        if self._journal is not None:
            pieces, row, offset = self._journal.pieces(*self._taken_to)
            self._taken_to = (row, offset)
            self._taken += pieces

    # -- for the runner ---------------------------------------------------------------------------------------------

    def begin(self, state: State, job: Job, journal: JournalFile | None = None) -> None:
        """``job`` works for this run from now on. It is killed at once if the run was cancelled meanwhile."""
        with self._changed:
            self._state = state
            self._job = job
            if journal is not None:
                self._journal = journal
                self._taken_to = (0, 0)
            self._tell()
        if self.cancelled.is_set():
            job.kill()

    def ask(self, question: int) -> bool:
        """The program waits with this question (0: it does not wait); gives whether an answer is awaited."""
        with self._changed:
            asks = question != 0 and question != self._answered
            self.asked = self.asked or asks
            if self._state in ("running", "asking") and asks != (self._state == "asking"):
                self._state = "asking" if asks else "running"
                self._tell()
            self._question = question
            return asks

    def end_output(self, loose: bytes = b"") -> None:
        """The program has ended: keep its output, ``loose`` (what came past the journal) behind it, and let go of
        the rest."""
        self.output_so_far()
        with self._changed:
            if self._journal is not None and self._taken is not None:
                self._collect()
                self._taken += [(1, self._journal.rest(self._taken_to[1])), (1, loose)]
            self._last = (self._last[0] + loose.decode("utf-8", "replace"), self._last[1])
            self._journal = None
            self._job = None

    def finish(
        self, state: State, *, trace: bytes | None = None, exit_status: int = -1, error: str | None = None
    ) -> None:
        """The last change of state."""
        with self._changed:
            if self._state in FINAL:
                return
            self.trace, self.exit_status, self.error = trace, exit_status, error
            self._state = state
            self._tell()
