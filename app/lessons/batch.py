"""Recordings of many programs, made side by side in the sandbox."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable
from typing import Any

from app.lessons.model import Program
from app.runner import Limits, Request, Run, Runner


class BatchError(Exception):
    """A program left no recording: says why."""


class Batch:
    """Programs are handed to ``runner`` at once and waited for one by one; equal ones run once."""

    def __init__(self, runner: Runner, programs: Iterable[Program] = ()) -> None:
        self._runner = runner
        self._runs: dict[str, Run] = {}
        self._traces: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        for program in programs:
            self._run(program)

    def _run(self, program: Program) -> tuple[str, Run]:
        key = hashlib.sha256(f"{program.name}\n{program.source}".encode()).hexdigest()
        with self._lock:
            if key not in self._runs:
                self._runs[key] = self._runner.submit(Request(program.source, name=program.name, limits=Limits()))
            return key, self._runs[key]

    def __call__(self, program: Program) -> dict[str, Any]:
        """The trace of ``program``. Raises :class:`BatchError`."""
        key, run = self._run(program)
        run.wait()
        if key not in self._traces:
            if run.trace is None:
                raise BatchError(f"{program.file}: {run.error or 'no recording was left'}")
            self._traces[key] = json.loads(run.trace)
        return self._traces[key]
