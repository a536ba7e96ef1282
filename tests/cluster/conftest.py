"""Runs here and on workers: the same programs through both, and real Redis between."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cluster.runner import ClusterRunner
from app.cluster.worker import Worker
from app.documents import Finisher
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


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Runner]:
    runner = Runner(spares=1, workers=2)
    runner.start()
    yield runner
    runner.close()


@pytest.fixture(scope="module")
def finisher() -> Iterator[Finisher]:
    found = Finisher(workers=1)
    yield found
    found.close()


@pytest.fixture(scope="module")
def with_worker(sandbox: Runner, finisher: Finisher, redis_url: str) -> Iterator[ClusterRunner]:
    """Programs go to a worker, and nowhere else."""
    worker = Worker(Shared(sandbox), finisher, redis_url, slots=2)
    worker.start()
    cluster = ClusterRunner(NotHere(sandbox), redis_url)
    cluster.start()
    yield cluster
    cluster.close()
    worker.stop(5)


@pytest.fixture(params=["here", "worker"])
def runner(request: pytest.FixtureRequest, sandbox: Runner) -> Any:
    """Whatever programs are handed in to."""
    return request.getfixturevalue("with_worker") if request.param == "worker" else sandbox


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


@pytest.fixture
def start_worker() -> Iterator[Callable[..., WorkerProcess]]:
    started: list[WorkerProcess] = []

    def start(url: str, *options: str) -> WorkerProcess:
        started.append(WorkerProcess(url, *options))
        return started[-1]

    yield start
    for one in started:
        one.end()


def until(holds: Callable[[], Any], seconds: float = 20) -> None:
    """Wait until ``holds()``; fail after ``seconds``."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        threading.Event().wait(0.01)


@pytest.fixture(name="until")
def _until() -> Callable[..., None]:
    return until
