"""The desk where programs are handed in: checks the limits, passes them to the runner, finishes what comes back.

Each run that is under way has a thread that waits for it and then for the finisher, so that no request waits for
another's layout.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol

from app.documents import BadTraceError, Document, Finisher, measurement
from app.runner import Measure, Request
from app.runner.backend import BackendError
from app.runner.isolation import Isolation
from app.web.config import Config
from app.web.errors import ApiError
from app.web.recent import Joined, Recent, Result
from app.web.sessions import Caller, SessionLimits
from app.web.store import FINAL, Record, RunLike, RunStore

log = logging.getLogger(__name__)


Finish = Callable[[RunLike], Document]


class RunnerLike(Protocol):
    """What the web needs of :class:`app.runner.Runner`."""

    def start(self) -> None: ...
    def close(self) -> None: ...
    def isolation(self) -> Isolation: ...
    def submit(self, request: Request) -> RunLike: ...
    def measure(self, request: Request, measure: Measure) -> RunLike: ...


class Desk:
    """Takes programs in and gives records out."""

    def __init__(self, config: Config, runner: RunnerLike, finisher: Finisher) -> None:
        self.config = config
        self.runner = runner
        self.finisher = finisher
        self.store = RunStore(config.kept_runs, config.kept_bytes, config.kept_seconds)
        self.sessions = SessionLimits(config.session_runs, config.session_runs_a_minute)
        self.addresses = SessionLimits(
            config.address_runs,
            config.address_runs_a_minute,
            who="Clients without a session cookie at your address",
            advice="Or send the cookie that GET / sets: with it you have a share of your own.",
        )
        self.recent = Recent()
        self.closing = threading.Event()
        self.on_run: Callable[[str], None] = lambda state: None
        """Told of every run: ``taken``, then its last state."""

    def submit(self, request: Request, caller: Caller, measure: Measure | None = None) -> Record:
        """Hand a program in for ``caller``, with ``measure`` to be measured. Raises :class:`ApiError` (429, 503) when
        it has to wait."""
        ended = self.admit(caller)
        request = replace(request, owner=caller.session or "")
        try:
            record, finish = self._begin(request, caller, measure)
        except BackendError as error:
            ended()
            raise ApiError(
                503, f"Programs cannot be run now: {error}.", "Ask whoever runs this server.", retry_after=10
            ) from error
        except BaseException:
            ended()
            raise
        if self.config.process:
            record.id = f"{self.config.process}.{record.id}"
        self.on_run("taken")
        self.store.add(record)
        arguments = (record, ended, finish)
        threading.Thread(target=self._follow, args=arguments, name=f"run-{record.id}", daemon=True).start()
        return record

    def _begin(self, request: Request, caller: Caller, measure: Measure | None) -> tuple[Record, Finish]:
        """A record, and what makes its document once its run has ended."""
        if measure is not None:
            return Record(caller.session, self.runner.measure(request, measure)), self._measurement
        if caller.session is None:  # not to be told from others: each run is its own
            return Record(None, self.runner.submit(request)), self._document
        found = self.recent.join(request, caller.session)
        if found is not None:
            joined = Joined(found, partial(self.runner.submit, request))
            return Record(caller.session, joined), lambda run: joined.document or self._document(run)
        run = self.runner.submit(request)
        result = self.recent.begin(request, caller.session, run)
        return Record(caller.session, run), partial(self._shared, result)

    def admit(self, caller: Caller) -> Callable[[], None]:
        """Take one run from what ``caller`` may run; what is returned gives it back. Raises :class:`ApiError` (429,
        503)."""
        if self.store.unfinished() >= self.config.queue:
            raise ApiError(503, "The server is full.", "Try again in a few seconds.", retry_after=5)
        limits, share = (self.sessions, caller.session) if caller.session else (self.addresses, caller.address)
        refusal = limits.start(share)
        if refusal:
            raise ApiError(429, refusal.message, refusal.hint, retry_after=refusal.retry_after)
        return partial(limits.end, share)

    def stop(self, record: Record) -> None:
        """End a run, or let go of what a finished one left. Others that wait for the same result still get it."""
        run = record.run
        record.free()
        if run is None:
            return
        if self.recent.wanted(run):
            record.finish("cancelled")
        else:
            run.cancel()

    def close(self) -> None:
        """Stop every run and take no more."""
        self.closing.set()
        self.runner.close()
        self.finisher.close()

    def record(self, request: Request) -> Document:
        """Run a program of the server's own and wait for its document. Raises :class:`BadTraceError`."""
        try:
            run = self.runner.submit(request)
        except BackendError as error:
            raise BadTraceError(f"Programs cannot be run now: {error}.") from error
        run.wait()
        return self._document(run)

    def _follow(self, record: Record, ended: Callable[[], None], finish: Finish) -> None:
        run = record.run
        assert run is not None
        try:
            self._await(record, run)
            if run.state == "cancelled":
                record.finish("cancelled")
            else:
                record.finish("done", document=finish(run))
        except BadTraceError as error:
            record.finish("failed", problem=str(error))
        except Exception:
            log.exception("run %s could not be finished", record.id)
            record.finish("failed", problem="The server could not finish this run.")
        finally:
            ended()
            self.on_run(record.state)
            self.store.trim()

    def _await(self, record: Record, run: RunLike) -> None:
        """Wait for the end of a run, and stop it if its followers have gone and none comes back, as a browser that has
        lost its connection does."""
        alone = self.config.alone_seconds
        while not run.wait(alone / 4):
            if record.state not in FINAL and record.alone(alone):
                self.stop(record)

    def _document(self, run: RunLike) -> Document:
        trace = run.trace
        if trace is None:
            raise BadTraceError(run.error or "The run left no recording.")
        return self.finisher.finish(trace, self.config.max_trace_bytes)

    def _shared(self, result: Result, run: RunLike) -> Document:
        """The same, and others may have it. Whatever comes of it, nobody waits for it any longer."""
        document: Document | None = None
        try:
            document = self._document(run)
            return document
        finally:
            result.settle(document)

    def _measurement(self, run: RunLike) -> Document:
        if run.trace is None:
            raise BadTraceError(run.error or "Nothing was measured.")
        return measurement(run.trace)
