"""The web layer alone: a runner in memory whose runs do what a test tells them."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.documents import Finisher
from app.runner import Measure, Request, Runner
from app.runner.isolation import Isolation
from app.web import Config, create_app
from tests.servers import addresses

# Helpers of these tests are a module beside them; pytest imports tests by path and would not find it.
sys.path[:0] = [str(Path(__file__).parent)]

from served import Server, worker  # noqa: E402 - found by the line above


class FakeRun:
    """A run that stands in the queue until the test moves it on."""

    def __init__(self, request: Request, trace: bytes) -> None:
        self.request = request
        self.state = "queued"
        self.trace: bytes | None = None
        self.error: str | None = None
        self._result = trace
        self._output = ""
        self._line = -1
        self._changes = 0
        self._changed = threading.Condition()
        self.question = 0
        self.answers: list[str | None] = []
        self.measure: Measure | None = None

    def prompt(self) -> str:
        return self._output.rpartition("\n")[2]

    def answer(self, text: str | None) -> bool:
        if self.state != "asking":
            return False
        self.answers.append(text)
        self.become("running")
        return True

    def end_input(self) -> bool:
        return self.answer(None)

    def queue_place(self) -> int:
        return 1 if self.state == "queued" else 0

    def expected_wait(self) -> float:
        return 0.4 if self.state == "queued" else 0.0

    @property
    def asked(self) -> bool:
        return self.question > 0

    def progress(self) -> tuple[int, int] | None:
        return None

    def output_so_far(self) -> tuple[str, int]:
        return self._output, self._line

    def wait(self, timeout: float | None = None) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.state in ("done", "cancelled", "failed"), timeout)

    def wait_change(self, seen: int, timeout: float) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self._changes != seen, timeout)
            return self._changes

    halted = False

    def halt(self) -> bool:
        if self.state not in ("running", "asking"):
            return False
        self.halted = True
        self.become("done")
        return True

    def cancel(self) -> None:
        self.become("cancelled")

    def become(self, state: str, *, output: str = "", line: int = -1, trace: bytes | None = None) -> None:
        """The test's hand: change the state, write output, reach a line."""
        with self._changed:
            if self.state in ("done", "cancelled", "failed"):
                return
            self.trace = (trace if trace is not None else self._result) if state == "done" else None
            self.error = "The sandbox went away." if state == "failed" else None
            self._output += output
            self._line = line if line != -1 else self._line
            self.state = state
            self.question += state == "asking"
            self._changes += 1
            self._changed.notify_all()


class FakeRunner:
    """Keeps what was submitted; with ``instant`` every run is done at once."""

    def __init__(self, trace: bytes) -> None:
        self.trace = trace
        self.instant = False
        self.runs: list[FakeRun] = []
        self.closed = False

    def start(self) -> None: ...

    def close(self) -> None:
        self.closed = True
        for run in self.runs:
            run.cancel()

    def isolation(self) -> Isolation:
        return Isolation(("a test",), isolated=False, missing=())

    def submit(self, request: Request) -> FakeRun:
        run = FakeRun(request, self.trace)
        self.runs.append(run)
        if self.instant:
            run.become("done")
        return run

    def measure(self, request: Request, measure: Measure) -> FakeRun:
        run = self.submit(request)
        run.measure = measure
        return run


@pytest.fixture(scope="session")
def real_runner() -> Iterator[Runner]:
    runner = Runner(spares=1, workers=1)
    runner.start()
    yield runner
    runner.close()


@pytest.fixture(scope="session", params=["alone", pytest.param("shared", marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it running; in the shared set-up a worker runs its programs."""
    at = addresses(request.param, request, tmp_path_factory.mktemp("server"), number=1)
    with contextlib.ExitStack() as stack:
        if at["redis_url"]:
            stack.enter_context(worker(at["redis_url"]))
        found = Server(DATABASE_URL=at["database_url"], REDIS_URL=at["redis_url"])
        yield found
        if found.process.poll() is None:
            found.end()


class SharedFinisher(Finisher):
    """One for all applications of the tests: closing one of them leaves it be."""

    def close(self) -> None: ...

    def really_close(self) -> None:
        super().close()


@pytest.fixture(scope="session")
def finisher() -> Iterator[Finisher]:
    shared = SharedFinisher(workers=1)
    yield shared
    shared.really_close()


@pytest.fixture(scope="session")
def trace(real_runner: Runner) -> bytes:
    """A trace of a small program, recorded by the real runner."""
    run = real_runner.submit(Request("print('hello')\n"))
    assert run.wait(20)
    assert run.trace is not None, run.error
    return run.trace


@pytest.fixture
def runner(trace: bytes) -> FakeRunner:
    return FakeRunner(trace)


@pytest.fixture(params=["alone", pytest.param("shared", marks=pytest.mark.slow)])
def set_up(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Both set-ups. Beside this folder's tests those of links and classes use both in `make test` too."""
    return addresses(request.param, request, tmp_path)


@pytest.fixture
def make(runner: FakeRunner, finisher: Finisher, set_up: dict[str, str]) -> Iterator[Callable[..., Flask]]:
    """Makes applications around the fake runner; they are closed after the test."""
    made: list[Flask] = []

    def build(**settings: object) -> Flask:
        config = Config(record_examples=False, **{**set_up, **settings})  # type: ignore[arg-type]
        app = create_app(config, runner=runner, finisher=finisher)
        made.append(app)
        return app

    yield build
    for app in made:
        app.extensions["stepgraph"].close()


@pytest.fixture
def client(make: Callable[..., Flask]) -> FlaskClient:
    return make().test_client()


def until(holds: Callable[[], bool], seconds: float = 5) -> None:
    """Wait until ``holds()``; fail after ``seconds``."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


@pytest.fixture(name="until")
def _until() -> Callable[..., None]:
    return until
