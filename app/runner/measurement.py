"""Measuring a program: surveys and repeats, each a run of its own in the same sandbox, one after the other."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.measure.document import document, loops_to_mark
from engine.recording.config import Measuring

from .followed import Followed, State
from .request import Measure, Request
from .run import Run

log = logging.getLogger(__name__)

SURVEYS = 3


class Measurement(Followed):
    """Looks like a :class:`Run` to those who follow it. Every method may be called from any thread.

    ``trace`` is the measurement document (``docs/measurement.md``) as JSON when ``state`` is ``"done"``.
    """

    question = 0
    asked = False

    def __init__(self, submit: Callable[[Request], Run], request: Request, measure: Measure) -> None:
        super().__init__()
        self.trace: bytes | None = None
        self.error: str | None = None
        self._submit = submit
        self._request = replace(request, interactive=False)
        self._measure = measure
        self._done = 0
        self._current: Run | None = None
        self._cancelled = False
        threading.Thread(target=self._work, name="measurement", daemon=True).start()

    @property
    def state(self) -> State:
        """``queued`` until the first run has its turn, then ``running``; at last ``done``, ``cancelled``,
        ``failed``."""
        current = self._current
        if self._state == "queued" and current is not None and current.state != "queued":
            self._state = "running"
        return self._state

    def progress(self) -> tuple[int, int]:
        """How many runs are done, of how many (surveys included)."""
        return self._done, SURVEYS + self._measure.repeats

    def queue_place(self) -> int:
        """How many runs have to begin before the current one, it included."""
        current = self._current
        return current.queue_place() if current is not None else 0

    def expected_wait(self) -> float:
        """Seconds until the current one probably begins."""
        current = self._current
        return current.expected_wait() if current is not None else 0.0

    def output_so_far(self) -> tuple[str, int]:
        """What is measured shows no output and no line."""
        return "", -1

    def prompt(self) -> str:
        """A measured program never asks."""
        return ""

    def answer(self, text: str) -> bool:
        """Nobody asks."""
        return False

    def end_input(self) -> bool:
        """Nobody asks."""
        return False

    halted = False

    def halt(self) -> bool:
        """Half a measurement is none."""
        return False

    def cancel(self) -> None:
        """End it, wherever it is."""
        with self._changed:
            self._cancelled = True
            current = self._current
        if current is not None:
            current.cancel()

    # -- the thread that does it -------------------------------------------------------------------------------------
    def _work(self) -> None:
        try:
            self._finish("done", json.dumps(self._all()).encode("ascii"))
        except _StoppedError as stopped:
            self.error = str(stopped) or None
            self._finish("failed" if self.error else "cancelled")
        except Exception as error:
            log.exception("a measurement failed")
            self.error = f"The measurement failed: {type(error).__name__}: {error}"
            self._finish("failed")

    def _finish(self, state: State, trace: bytes | None = None) -> None:
        with self._changed:
            self.trace, self._state = trace, state
            self._tell()

    def _all(self) -> dict[str, Any]:
        asked, begun = self._measure, time.monotonic()
        surveys = [self._one(Measuring(survey=True, line=asked.line))]
        if asked.line and surveys[0]["repeat"] is not None and surveys[0]["repeat"]["target"] is None:
            raise _StoppedError(
                f"Nothing that can be timed begins in line {asked.line}: name the line of a def, a loop or a statement."
            )
        took = time.monotonic() - begun
        while len(surveys) < SURVEYS and time.monotonic() - begun + 2 * took < asked.seconds:
            surveys.append(self._one(Measuring(survey=True, line=asked.line)))
        self._done = SURVEYS
        plain = Measuring(loops=loops_to_mark(surveys), line=asked.line)
        runs = [self._one(plain)]
        while len(runs) < asked.repeats and time.monotonic() - begun + took < asked.seconds:
            runs.append(self._one(plain))
        made = document(surveys, runs)
        if len(runs) < asked.repeats:
            made["notes"].append(
                f"{len(runs)} of {asked.repeats} repeats began within {asked.seconds:g} s. A shorter program can be "
                "repeated more often."
            )
        return made

    def _one(self, measuring: Measuring) -> dict[str, Any]:
        """What one run tells. Raises :class:`_StoppedError` if it was cancelled or the sandbox failed."""
        with self._changed:
            if self._cancelled:
                raise _StoppedError
            run = self._current = self._submit(replace(self._request, measure=measuring))
            self._tell()
        seen, known = 0, ""
        while not run.wait(0):
            seen = run.wait_change(seen, 1.0)
            if (state := run.state) != known:  # its place in the queue, too, is news to those who wait
                known = state
                self.touch()
        if run.trace is None:
            raise _StoppedError(run.error or "")
        told: dict[str, Any] = json.loads(run.trace)
        with self._changed:
            self._done += 1
            self._tell()
        return told


class _StoppedError(Exception):
    """It goes no further: cancelled, or the text says why."""
