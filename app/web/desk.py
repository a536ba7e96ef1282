"""The desk where programs are handed in: checks the limits, passes them to the runner, finishes what comes back.

Each run that is under way has a thread that waits for it and then for the finisher, so that no request waits for
another's layout.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol, runtime_checkable

from app.cluster.known import KnownRuns
from app.documents import BadTraceError, Document, Finisher, measurement
from app.runner import Measure, Request
from app.runner.backend import BackendError
from app.runner.interface import RunLike, RunnerLike
from app.web.config import Config
from app.web.errors import ApiError
from app.web.recent import Joined, Recent, Result
from app.web.sessions import Caller, Counts, SessionLimits
from app.web.store import FINAL, Record, RunStore

log = logging.getLogger(__name__)


Finish = Callable[[RunLike], Document]


@runtime_checkable
class HasDocument(Protocol):
    """A run whose document was made elsewhere; None if its trace is still to be finished here."""

    document: Document | None


class Desk:
    """Takes programs in and gives records out. ``known``: runs that other processes have taken in; ``counts``: how many
    each session has under way, where that is counted for all processes together."""

    def __init__(
        self,
        config: Config,
        runner: RunnerLike,
        finisher: Finisher,
        *,
        known: KnownRuns | None = None,
        counts: Counts | None = None,
    ) -> None:
        self.config = config
        self.runner = runner
        self.finisher = finisher
        self.store = RunStore(config.kept_runs, config.kept_bytes, config.kept_seconds)
        self._known = known
        self._finding = threading.Lock()
        self.sessions = SessionLimits(config.session_runs, config.session_runs_a_minute, counts=counts)
        self.addresses = SessionLimits(
            config.address_runs,
            config.address_runs_a_minute,
            who="Clients without a session cookie at your address",
            advice="Or send the cookie that GET / sets: with it you have a share of your own.",
            counts=counts,
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
            record, finish = self._begin(self._new_id(), request, caller, measure)
        except BackendError as error:
            ended()
            raise ApiError(
                503, f"Programs cannot be run now: {error}.", "Ask whoever runs this server.", retry_after=10
            ) from error
        except BaseException:
            ended()
            raise
        self.on_run("taken")
        self._add(record, ended, finish)
        return record

    def find(self, id: str) -> Record | None:
        """The run that is known under ``id``, whichever process it was handed in to; None if there is none."""
        record = self.store.get(id)
        if record is not None or self._known is None:
            return record
        with self._finding:
            record = self.store.get(id)
            found = self._known.find(id) if record is None else None
            if found is None:
                return record
            record = Record(found.session, found.run, id=id, outlives=True)
            if found.run.wait(0):
                self.store.add(record)
                self._finish(record, found.run, self._document)
            else:
                self._add(record, lambda: None, self._document)
            return record

    def _new_id(self) -> str:
        id = secrets.token_urlsafe(16)
        return f"{self.config.process}.{id}" if self.config.process else id

    def _add(self, record: Record, ended: Callable[[], None], finish: Finish) -> None:
        self.store.add(record)
        arguments = (record, ended, finish)
        threading.Thread(target=self._follow, args=arguments, name=f"run-{record.id}", daemon=True).start()

    def _begin(self, id: str, request: Request, caller: Caller, measure: Measure | None) -> tuple[Record, Finish]:
        """A record, and what makes its document once its run has ended."""
        session = caller.session
        if measure is not None:
            measured = self.runner.measure(request, measure)
            return self._record(id, session, measured), self._measurement
        if session is None:  # not to be told from others: each run is its own
            return self._record(id, None, self.runner.submit(request)), self._document
        found = self.recent.join(request, session)
        if found is not None:
            outlives = self._known is not None and self._known.announce_same(id, session, found.id)
            joined = Joined(found, partial(self._submit, id, session, request))
            return Record(session, joined, id=id, outlives=outlives), self._document
        run = self.runner.submit(request)
        result = self.recent.begin(request, session, run, id)
        return self._record(id, session, run), partial(self._shared, result)

    def _record(self, id: str, session: str | None, run: RunLike) -> Record:
        """A record, of which every process knows that can."""
        outlives = self._known is not None and self._known.announce(id, session, run)
        return Record(session, run, id=id, outlives=outlives)

    def _submit(self, id: str, session: str, request: Request) -> RunLike:
        """A run of its own for a record that waited for another's result."""
        run = self.runner.submit(request)
        if self._known is not None:
            self._known.announce(id, session, run)
        return run

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
        if self._known is not None and record.outlives:
            self._known.forget(record.id)
        if run is None:
            return
        if self.recent.wanted(run):
            record.finish("cancelled")
        else:
            run.cancel()

    def halt(self, record: Record) -> bool:
        """End a program and keep what it has recorded. False if it does not run now, or others wait for its result."""
        run = record.run
        return run is not None and not self.recent.wanted(run) and run.halt()

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
            self._finish(record, run, finish)
        finally:
            ended()
            self.on_run(record.state)

    def _finish(self, record: Record, run: RunLike, finish: Finish) -> None:
        try:
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
            self.store.trim()

    def _await(self, record: Record, run: RunLike) -> None:
        """Wait for the end of a run, and stop it if its followers have gone and none comes back, as a browser that has
        lost its connection does."""
        alone = self.config.alone_seconds
        while not run.wait(alone / 4):
            if record.state not in FINAL and record.alone(alone):
                self.stop(record)

    def _document(self, run: RunLike) -> Document:
        if isinstance(run, HasDocument) and run.document is not None:
            return run.document
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
        if isinstance(run, HasDocument) and run.document is not None:
            return run.document
        if run.trace is None:
            raise BadTraceError(run.error or "Nothing was measured.")
        return measurement(run.trace)
