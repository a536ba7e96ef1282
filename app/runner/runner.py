"""Programs through the sandbox: the workers that take them from the queue and look after each."""

from __future__ import annotations

import json
import logging
import math
import os
import threading
import time
from typing import Any

from .backend import Backend, BackendError, Job
from .choose import choose
from .inside.builder import HEAD_BYTES
from .isolation import Isolation
from .journal_file import JournalFile, memory_file
from .measurement import Measurement
from .questions import Questions
from .queue import FairQueue
from .request import Measure, Request
from .run import Run
from .verdict import BROKEN, OWN_TRACEBACK, Stopped, judge

log = logging.getLogger(__name__)

TRACE_BYTES = 128 << 20
"""No trace is bigger than this; a builder that writes more has been fooled by its journal."""

_TICK = 0.04
"""Seconds between two looks at a running program's journal."""
_GRACE = 0.25
"""Seconds past the deadline in which the program's own process may still say so itself."""
_SILENT_SECONDS = 0.5
_BUILD_SECONDS = 60.0
_KILL_SECONDS = 3.0
_LATER = "Run the program again in a moment."
_TRIES = 3
"""How often what no program has seen is tried again when the sandbox goes down."""


class Runner:
    """Runs programs, ``workers`` at a time and one for each owner, first come first served. One for each server; safe
    to use from any thread.

    ``backend``: ``"auto"`` takes the best that works here; ``"bwrap"``, ``"namespaces"``, ``"bare"``, ``"strict"``,
    ``"plain"``
    insist on one. ``packages``: whether programs find the packages beside NumPy (:data:`app.runner.launch.PACKAGES`),
    whose import takes half a second at the start. Starts with the first use. Raises :class:`BackendError` from then on
    if nothing works.
    """

    def __init__(self, *, spares: int = 2, workers: int = 2, backend: str = "auto", packages: bool = True) -> None:
        if spares < 1 or workers < 1:
            raise ValueError("a runner needs at least one spare and one worker")
        self._spares = spares
        self._workers = workers
        self._kind = backend
        self._packages = packages
        self._backend: Backend | None = None
        self._starting = threading.Lock()
        self._closed = False
        self._threads: set[threading.Thread] = set()
        self._queue = FairQueue(workers, self._add_worker)

    def start(self) -> None:
        """Get the sandbox ready, unless it is."""
        with self._starting:
            if self._closed:
                raise BackendError("this runner is closed")
            if self._backend is not None:
                return
            self._backend = choose(self._kind, self._spares, packages=self._packages)
            for _ in range(self._workers):
                self._add_worker()

    def close(self) -> None:
        """Cancel everything, stop every process. A closed runner stays closed."""
        with self._starting:
            self._closed = True
            for run in self._queue.close():
                run.cancel()
            for thread in [*self._threads]:
                thread.join(timeout=_KILL_SECONDS)
            if self._backend is not None:
                self._backend.close()

    def isolation(self) -> Isolation:
        """What stands between a program and this machine."""
        self.start()
        assert self._backend is not None
        return self._backend.isolation()

    def submit(self, request: Request) -> Run:
        """Put a program into the queue."""
        self.start()
        run = Run(request, self._queue)
        self._queue.put(run)
        return run

    def measure(self, request: Request, measure: Measure) -> Measurement:
        """Measure a program: several runs of it, one after the other, each through the queue."""
        self.start()
        return Measurement(self.submit, request, measure)

    # -- the workers ------------------------------------------------------------------------------------------------

    def _add_worker(self) -> None:
        thread = threading.Thread(target=self._work, name="runner", daemon=True)
        self._threads.add(thread)
        thread.start()

    def _work(self) -> None:
        while (run := self._queue.take()) is not None:
            try:
                self._execute(run)
            except BackendError as error:
                if run.cancelled.is_set():
                    run.finish("cancelled")
                else:
                    run.finish("failed", error=str(error))
            except OSError as error:
                log.error("run %s: %s", run.id, error)
                run.finish("failed", error=f"The server is short of memory or files ({error.strerror}). {_LATER}")
            except Exception as error:
                log.exception("run %s failed", run.id)
                run.finish("failed", error=f"The runner failed: {type(error).__name__}: {error}")
            finally:
                self._queue.done(run)
        self._threads.discard(threading.current_thread())

    # -- one run ----------------------------------------------------------------------------------------------------

    def _execute(self, run: Run) -> None:
        for _ in range(_TRIES):
            if self._try(run):
                return
        raise BackendError("The sandbox keeps going down before this program begins. Try again later.")

    def _try(self, run: Run) -> bool:
        """Run the program and build its trace. False if the sandbox went down before the program began."""
        assert self._backend is not None
        limits = run.request.limits
        journal = self._backend.new_journal(limits)
        try:
            begun = time.monotonic()
            job = self._backend.run(journal, run.request.to_json(), limits, interactive=run.request.interactive)
            try:
                run.begin("running", job, journal)
                stopped, waited = self._watch(run, job, journal)
                seconds = max(0.0, time.monotonic() - begun - waited)
                loose = job.loose()[: limits.output_bytes]
            finally:
                job.close()
            if job.lost and not job.begun and not run.cancelled.is_set():
                return False
            if run.cancelled.is_set():
                run.finish("cancelled")
                return True
            if job.lost or job.ended is None:
                raise BackendError("The sandbox went down during this run. It is back: run the program once more.")
            journal.repair()
            text = loose.decode("utf-8", "replace")
            if job.ended.status == BROKEN and not stopped and text.startswith(OWN_TRACEBACK) and not journal.has_end():
                log.error("run %s: the recorder failed: %s", run.id, text)
                raise BackendError(f"The recorder failed: {text.strip().splitlines()[-1]}")
            run.end_output(loose)
            ended = {**vars(judge(job.ended, stopped, limits)), "has_end": journal.has_end(), "seconds": seconds}
            self._build(run, journal, ended, loose)
        finally:
            run.end_output()
            journal.close()
        return True

    def _watch(self, run: Run, job: Job, journal: JournalFile) -> tuple[Stopped, float]:
        """Look after the running program until it has ended. Why it was stopped, and how long it waited for input."""
        begun = time.monotonic()
        with Questions(run, journal, self._queue.rest, self._queue.go_on) as questions:
            return self._watch_from(begun, run, job, journal, questions), questions.waited

    def _watch_from(self, begun: float, run: Run, job: Job, journal: JournalFile, questions: Questions) -> Stopped:
        limits = run.request.limits
        latest = math.inf
        deadline = begun + limits.seconds + _GRACE
        seen: object = None
        while not job.wait(max(0.0, min(_TICK, deadline - time.monotonic()))):
            now = (journal.counters()[::2], len(job.loose()))
            if now != seen:
                seen = now
                run.touch()
            questions.look()
            if job.silent:  # a last breath is enough for one that is only about to end
                latest = min(latest, time.monotonic() + _SILENT_SECONDS)
            deadline = min(begun + limits.seconds + _GRACE + questions.waited, latest)
            stopped: Stopped = ""
            if len(job.loose()) > limits.output_bytes:
                stopped = "output"
            elif time.monotonic() >= deadline:
                stopped = "silent" if job.silent else "time"
            if stopped or run.cancelled.is_set():
                job.kill()
                if not job.wait(_KILL_SECONDS):  # the zygote itself does not answer
                    assert self._backend is not None
                    self._backend.reset()
                    job.wait(_KILL_SECONDS)
                return stopped
        return "stopped" if run.halted and not journal.has_end() else ""

    def _build(self, run: Run, journal: JournalFile, ended: dict[str, Any], loose: bytes) -> None:
        config = json.loads(run.request.to_json(files=False))
        order = json.dumps(config | {"ended": ended, "loose": loose.decode("latin-1")}).encode("ascii")
        for _ in range(_TRIES):
            result = memory_file("stepgraph-trace")
            try:
                job = self._build_once(run, journal, order, result)
                if run.cancelled.is_set():
                    run.finish("cancelled")
                    return
                if job.lost:  # no program was running in it: the next zygote does it just as well
                    continue
                if job.ended is None or job.ended.status != 0:
                    problem = job.loose().decode("utf-8", "replace").strip()
                    log.error("run %s: no trace could be built: %s", run.id, problem)
                    why = problem.splitlines()[-1] if problem else "it took too long or too much memory"
                    raise BackendError(f"No trace could be built from this run: {why}")
                status, trace = _read_result(result)
                run.finish("done", trace=trace, exit_status=status)
                return
            finally:
                os.close(result)
        raise BackendError("The sandbox keeps going down while the trace is built. Try again later.")

    def _build_once(self, run: Run, journal: JournalFile, order: bytes, result: int) -> Job:
        assert self._backend is not None
        job = self._backend.build(journal, order, result)
        try:
            run.begin("building", job)
            job.wait(_BUILD_SECONDS)
        finally:
            job.close()
        return job


def _read_result(descriptor: int) -> tuple[int, bytes]:
    """The exit status and the trace that a builder wrote. Raises :class:`BackendError` if it is not what builders
    write."""
    size = os.fstat(descriptor).st_size
    if not HEAD_BYTES < size <= TRACE_BYTES + HEAD_BYTES:
        raise BackendError(f"The trace of this run has an impossible size of {size} bytes.")
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        head = file.read(HEAD_BYTES)
        trace = file.read(TRACE_BYTES + 1)
    try:
        status = json.loads(head)["exit_status"]
    except (ValueError, KeyError, TypeError, RecursionError):
        status = None
    if not isinstance(status, int) or isinstance(status, bool) or not 0 <= status <= 255:
        raise BackendError("The trace of this run came without an exit status.")
    return status, trace
