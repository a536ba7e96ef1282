"""A run that another machine does, as those see it who asked for it."""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from app.documents import Document
from app.runner import Measure, Request
from app.runner.followed import FINAL, Followed, State
from app.runner.interface import RunLike
from app.runner.measurement import SURVEYS

log = logging.getLogger(__name__)

LOST = "The machine that ran this program was lost. Run the program once more."
_PROMPT_CHARACTERS = 500


class RemoteRun(Followed):
    """Looks like :class:`app.runner.Run`. ``document`` is there when ``state`` is ``"done"``: it was made where the
    program ran. ``request`` is None where only the id is known, since another process handed the program in.

    ``order`` says something to the program (:meth:`app.cluster.ledger.Ledger.order`), ``stop`` ends it; both say
    whether that was possible. ``fetch`` gives the document.
    """

    def __init__(
        self,
        request: Request | None,
        measure: Measure | None,
        *,
        order: Callable[[str, str, str], bool],
        stop: Callable[[RemoteRun], bool],
        fetch: Callable[[str], Document | None],
        id: str = "",
    ) -> None:
        super().__init__()
        self.id = id or secrets.token_urlsafe(16)
        self.request = request
        self.measure = measure
        self.document: Document | None = None
        self.trace: bytes | None = None
        """Only of a run that was taken back and done here."""
        self.error: str | None = None
        self.asked = False
        self.place = 0
        """Its place in the queue, and in ``wait_seconds`` how long that will probably last: whoever looks after the
        runs keeps them up to date."""
        self.wait_seconds = 0.0
        self.attempt = 0
        self.cancelled = False
        self.halted = False
        self.began = 0.0
        self._order, self._stop, self._fetch = order, stop, fetch
        self._here: RunLike | None = None
        self._output = ""
        self._line = -1
        self._question = self._answered = 0
        self._progress: tuple[int, int] | None = (0, SURVEYS + measure.repeats) if measure else None

    # -- for those who follow it ---------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return self._here.state if self._here and self._state not in FINAL else self._state

    @property
    def question(self) -> int:
        return self._here.question if self._here else self._question

    def queue_place(self) -> int:
        if self._here:
            return self._here.queue_place()
        return max(1, self.place) if self._state == "queued" else 0

    def expected_wait(self) -> float:
        if self._here:
            return self._here.expected_wait()
        return self.wait_seconds if self._state == "queued" else 0.0

    def progress(self) -> tuple[int, int] | None:
        return self._here.progress() if self._here else self._progress

    def output_so_far(self) -> tuple[str, int]:
        return self._here.output_so_far() if self._here else (self._output, self._line)

    def prompt(self) -> str:
        return self.output_so_far()[0].rpartition("\n")[2][-_PROMPT_CHARACTERS:]

    def answer(self, text: str) -> bool:
        return self._here.answer(text) if self._here else self._reply("answer", text)

    def end_input(self) -> bool:
        return self._here.end_input() if self._here else self._reply("eof", "")

    def halt(self) -> bool:
        if self._here:
            self.halted = self._here.halt()
            return self.halted
        with self._changed:
            if self._state not in ("running", "asking"):
                return False
        self.halted = self._order(self.id, "halt", "")
        return self.halted

    def cancel(self) -> None:
        self.cancelled = True
        here = self._here
        if here:
            here.cancel()
        elif self._stop(self):
            self.end("cancelled")

    def _reply(self, what: str, text: str) -> bool:
        with self._changed:
            if self._state != "asking":
                return False
            self._state, self._answered = "running", self._question
            self._tell()
        return self._order(self.id, what, text)

    # -- for those who look after it -----------------------------------------------------------------------------------

    @property
    def is_final(self) -> bool:
        return self._state in FINAL

    @property
    def is_here(self) -> bool:
        """Whether it was taken back and runs in this process."""
        return self._here is not None

    def receive(self, fields: Mapping[bytes, bytes]) -> None:
        """A message of whoever runs it. What an attempt says that was given up is passed over."""
        news: dict[str, Any] = json.loads(fields[b"news"])
        attempt = int(news.get("attempt", self.attempt))
        document = self._fetch(self.id) if news.get("state") == "done" else None
        with self._changed:
            if self._here or self._state in FINAL or attempt < self.attempt:
                return
            if attempt > self.attempt:  # it is done again, from the beginning
                self.attempt, self.began = attempt, time.monotonic()
                self._output, self._line, self._question, self._answered = "", -1, 0, 0
            self._take_in(news, document)
            self._tell()

    def _take_in(self, news: Mapping[str, Any], document: Document | None) -> None:
        self._output += news.get("more", "")
        self._line = news.get("line", self._line)
        self.asked = self.asked or bool(news.get("asked"))
        if "progress" in news:
            done, of = news["progress"]
            self._progress = (int(done), int(of))
        self._question = int(news.get("question", self._question))
        state: State = news.get("state", self._state)
        if state == "asking" and self._question == self._answered:
            state = "running"  # it has its answer, which was on its way when this was said
        if state == "done":
            self.document = document
            if document is None:
                state, news = (
                    "failed",
                    {"error": "The recording was forgotten before it could be fetched. Run it again."},
                )
        self.error = news.get("error", self.error)
        self._state = state

    def end(self, state: State, error: str | None = None) -> None:
        """The last change of state."""
        with self._changed:
            if self._state not in FINAL:
                self._state, self.error = state, error
                self._tell()

    def run_here(self, submit: Callable[[], RunLike]) -> None:
        """Taken back from the workers: a runner of this process does it."""
        with self._changed:
            if self._here or self._state in FINAL:
                return
            self._here = submit()
            self._output, self._line = "", -1
            self._tell()
        threading.Thread(target=self._relay, args=(self._here,), name=f"here-{self.id}", daemon=True).start()

    def _relay(self, here: RunLike) -> None:
        if self.cancelled:
            here.cancel()
        seen = 0
        while not here.wait(0):
            seen = here.wait_change(seen, 1.0)
            self.asked = self.asked or here.asked
            self.touch()
        with self._changed:
            self.trace, self.error, self.asked = here.trace, here.error, here.asked
            self._output, self._line = here.output_so_far()
            self._state = "done" if here.state == "done" else "cancelled" if here.state == "cancelled" else "failed"
            self._tell()
