"""Runners that tests share, and workers as processes."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from pathlib import Path

from app.runner import Measure, Request, Runner
from app.runner.interface import RunLike
from app.runner.isolation import Isolation

ROOT = Path(__file__).resolve().parents[2]


class Shared:
    """A runner that tests share: whoever closes it leaves it be."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner

    def start(self) -> None:
        self.runner.start()

    def close(self) -> None: ...

    def isolation(self) -> Isolation:
        return self.runner.isolation()

    def submit(self, request: Request) -> RunLike:
        return self.runner.submit(request)

    def measure(self, request: Request, measure: Measure) -> RunLike:
        return self.runner.measure(request, measure)


class NotHere(Shared):
    """A runner that may not be used: workers have to."""

    def submit(self, request: Request) -> RunLike:
        raise AssertionError("a worker should have run this")

    def measure(self, request: Request, measure: Measure) -> RunLike:
        raise AssertionError("a worker should have measured this")


class WorkerProcess:
    """``stepgraph worker``."""

    def __init__(self, url: str, *options: str) -> None:
        command = [sys.executable, str(ROOT / "stepgraph.py"), "worker", *options]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, "REDIS_URL": url},
            cwd="/",
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], 90)
        self.first_line = self.process.stdout.readline() if ready else ""
        assert re.match(r"Worker \S+ runs \d+ programs at a time\.", self.first_line), self.first_line

    def kill(self) -> None:
        """As a machine that loses its power."""
        self.process.kill()
        self.process.communicate(timeout=20)

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.communicate(timeout=60)
        return self.process.returncode
