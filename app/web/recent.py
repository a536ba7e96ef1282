"""Programs that somebody has just run: who hands in the same one within a minute gets the same recording.

A class presses Run on one lesson at once. Nobody is given one result twice: who runs a program again, to see other
random numbers, has a run of their own. Measurements and programs that ask are never shared.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from app.documents import Document
from app.runner import Request
from app.runner.interface import RunLike
from app.web.store import FINAL

WITHIN = 60.0
"""Seconds after a program was handed in until its result is too old to be shared."""
_MOST = 64
_MOST_BYTES = 32 << 20
_LOOK = 0.25
"""Seconds between two looks at a run of another's."""


class Result:
    """What a run will leave, for those who wait for it too. ``document`` is None until ``settle``, and if there is
    nothing to share; ``run`` is None from then on, since it holds its whole trace."""

    def __init__(self, request: Request, run: RunLike, session: str, at: float, id: str = "") -> None:
        self.run: RunLike | None = run
        self.id = id
        """Under which its own session knows the run."""
        self.at = at
        self._handed_in = len(request.source) + len(request.stdin or "") + sum(len(data) for _, data in request.files)
        self.sessions = {session}
        self.joined = 0
        """How many wait for it beside its own session."""
        self.document: Document | None = None
        self._settled = threading.Event()

    def settle(self, document: Document | None) -> None:
        """It has ended; None: without anything that could be shared."""
        run = self.run
        self.document = None if run is None or run.asked or run.halted else document
        self._settled.set()
        self.run = None

    @property
    def bytes(self) -> int:
        """What is kept for it, about."""
        return self._handed_in + (len(self.document.compressed) if self.document else 0)

    @property
    def unfit(self) -> bool:
        """Whether nothing will be shared: the program asks, was stopped, or has come to nothing."""
        run = self.run
        if run is None or self._settled.is_set():
            return self.document is None
        return run.asked or run.halted or run.state in ("cancelled", "failed")

    def wait(self, timeout: float) -> bool:
        """Whether it is known within ``timeout`` seconds what will be shared, if anything."""
        return self._settled.wait(timeout) or self.unfit


class Recent:
    """Results by what was handed in. Thread-safe; bounded in number, bytes and age."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._results: OrderedDict[Request, Result] = OrderedDict()

    def join(self, request: Request, session: str) -> Result | None:
        """The result of another session's run of this program, if there is a recent one that may be shared."""
        with self._lock:
            self._forget()
            found = self._results.get(_key(request))
            if found is None or found.unfit or session in found.sessions:
                return None
            found.sessions.add(session)
            found.joined += 1
            return found

    def wanted(self, run: RunLike) -> bool:
        """Whether others wait for what ``run`` will leave."""
        with self._lock:
            return any(result.run is run and result.joined > 0 for result in self._results.values())

    def begin(self, request: Request, session: str, run: RunLike, id: str = "") -> Result:
        """Offer what ``run`` will leave to others from now on. ``id``: under which its session knows it."""
        result = Result(request, run, session, self._clock(), id)
        with self._lock:
            self._results.pop(_key(request), None)
            self._results[_key(request)] = result
            self._forget()
        return result

    def _forget(self) -> None:
        oldest = self._clock() - WITHIN
        size = sum(result.bytes for result in self._results.values())
        while self._results:
            request, result = next(iter(self._results.items()))
            if result.at >= oldest and len(self._results) <= _MOST and size <= _MOST_BYTES:
                return
            del self._results[request]
            size -= result.bytes


def _key(request: Request) -> Request:
    """All that a result depends on."""
    return replace(request, owner="")


class Joined:
    """Waits for the result of another's run and looks like a run itself; should there be nothing to share, ``start``
    begins a run of its own. ``document`` is what was shared."""

    def __init__(self, result: Result, start: Callable[[], RunLike]) -> None:
        self._result = result
        self._start = start
        self._own: RunLike | None = None
        self._lock = threading.Lock()
        self._cancelled = False
        self.document: Document | None = None

    @property
    def _run(self) -> RunLike | None:
        """What there is to follow: its own run, the other's, or none once that has been finished."""
        return self._own or self._result.run

    @property
    def state(self) -> str:
        if self._own:
            return self._own.state
        if self._cancelled:
            return "cancelled"
        if self.document is not None:
            return "done"
        run = self._result.run
        if run is None or run.state in FINAL:
            return "building"
        return "queued" if run.state == "asking" else run.state

    @property
    def trace(self) -> bytes | None:
        return self._own.trace if self._own else None

    @property
    def error(self) -> str | None:
        return self._own.error if self._own else None

    @property
    def question(self) -> int:
        return self._own.question if self._own else 0

    @property
    def asked(self) -> bool:
        return self._own is not None and self._own.asked

    def queue_place(self) -> int:
        run = self._run
        return run.queue_place() if run else 0

    def expected_wait(self) -> float:
        run = self._run
        return run.expected_wait() if run else 0.0

    def progress(self) -> tuple[int, int] | None:
        return None

    def prompt(self) -> str:
        return self._own.prompt() if self._own else ""

    def answer(self, text: str) -> bool:
        return self._own is not None and self._own.answer(text)

    def end_input(self) -> bool:
        return self._own is not None and self._own.end_input()

    def output_so_far(self) -> tuple[str, int]:
        run = self._run
        return run.output_so_far() if run else ("", -1)

    def wait_change(self, seen: int, timeout: float) -> int:
        run = self._run
        return run.wait_change(seen, timeout if self._own else _LOOK) if run else seen

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the other's result, and without one run the program."""
        end = time.monotonic() + timeout if timeout is not None else None
        while self._own is None:
            if self._cancelled:
                self._result.joined -= 1
                return True
            left = _LOOK if end is None else min(_LOOK, end - time.monotonic())
            if left <= 0:
                return False
            if self._result.wait(left):
                self.document = self._result.document
                if self.document is not None:
                    return True
                with self._lock:
                    if not self._cancelled:
                        self._own = self._start()
        return self._own.wait(None if end is None else max(0.0, end - time.monotonic()))

    @property
    def halted(self) -> bool:
        own = self._own
        return own is not None and own.halted

    def halt(self) -> bool:
        """End one's own program; the other's goes on."""
        own = self._own
        return own is not None and own.halt()

    def cancel(self) -> None:
        """End what is one's own: the other's run goes on."""
        with self._lock:
            self._cancelled = True
            if self._own:
                self._own.cancel()
