"""Runs here and on workers: the same programs through both, and real Redis between."""

from __future__ import annotations

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
from app.runner import Runner

# Helpers of these tests are a module beside them; pytest imports tests by path and would not find it.
sys.path[:0] = [str(Path(__file__).parent)]

from crewed import NotHere, Shared, WorkerProcess  # noqa: E402 - found by the line above


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


@pytest.fixture
def start_worker(own_redis: Any) -> Iterator[Callable[..., WorkerProcess]]:
    """Starts workers on the Redis server that the test may stop."""
    started: list[WorkerProcess] = []

    def start(*options: str) -> WorkerProcess:
        started.append(WorkerProcess(own_redis.url, *options))
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
