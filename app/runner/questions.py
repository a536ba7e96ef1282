"""A program that waits for input: whose turn it is, how long that may take, and that it costs no running time."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from .journal_file import JournalFile
from .request import QUESTIONS
from .run import Run


class Questions:
    """Looks after the questions of one running program; use it as a context manager.

    ``rest`` is called when it begins to wait and says whether it leaves its place to another program; if it does,
    ``go_on`` is called when it runs again.
    """

    def __init__(self, run: Run, journal: JournalFile, rest: Callable[[], bool], go_on: Callable[[], None]) -> None:
        self._run, self._journal = run, journal
        self._rest, self._go_on = rest, go_on
        self._rests = False
        self._question = 0
        self._since = 0.0
        self.waited = 0.0
        """Seconds of waiting until the last look, of those that do not count as running."""

    def __enter__(self) -> Questions:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._stand_up()

    def look(self) -> None:
        """See whether the program waits, and whether it has waited for too long."""
        request = self._run.request
        if not request.interactive:
            return
        question, waited = self._journal.question()
        if question != self._question:
            self._question, self._since = question, time.monotonic()
        if question:
            passed = time.monotonic() - self._since
            waited += passed
            if passed >= request.patience:
                self._run.end_input()
        # What the journal says may be forged: a program that pretends to wait can have so much, asleep, and no more.
        self.waited = min(max(waited, 0.0), QUESTIONS * request.patience)
        if not self._run.ask(question):
            self._stand_up()
        elif not self._rests:
            self._rests = self._rest()

    def _stand_up(self) -> None:
        if self._rests:
            self._rests = False
            self._go_on()
