"""Redis goes and comes back, web processes and workers die: every run still ends, once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from crewed import NotHere, Shared

from app.cluster import runner as runner_module
from app.cluster.client import client
from app.cluster.ledger import Ledger
from app.cluster.remote import LOST, RemoteRun
from app.cluster.runner import ClusterRunner
from app.cluster.worker import Worker
from app.documents import Finisher
from app.runner import Request, Runner

ROOM = Request("import time\nprint('begun')\ntime.sleep(1.5)\nprint('done')\n")


class Followed:
    """What somebody is told who follows a run: every change, and how often it ended."""

    def __init__(self, run: Any) -> None:
        self.states: list[str] = []
        self.ended = threading.Event()
        self._run = run
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        seen = 0
        while True:
            seen = self._run.wait_change(seen, 0.2)
            state = self._run.state
            if self.states[-1:] != [state]:
                self.states.append(state)
            if self._run.wait(0) and not self.ended.is_set():
                self.ended.set()
                return


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "AWAY", 0.3)
    monkeypatch.setattr(runner_module, "_LOOK", 0.1)


@pytest.fixture(scope="module")
def second_runner() -> Iterator[Runner]:
    """The worker's own sandbox."""
    found = Runner(spares=1, workers=1)
    found.start()
    yield found
    found.close()


@pytest.fixture
def pair(own_redis: Any, sandbox: Runner, second_runner: Runner, finisher: Finisher) -> Iterator[ClusterRunner]:
    """A web process with a sandbox, and a worker with another, on a Redis that the test may stop."""
    worker = Worker(Shared(second_runner), finisher, own_redis.url, slots=1)
    worker.start()
    cluster = ClusterRunner(Shared(sandbox), own_redis.url)
    cluster.start()
    yield cluster
    cluster.close()
    worker.stop(1)


def test_without_redis_runs_go_on_here_and_with_it_back_on_workers(
    impatient: None, pair: ClusterRunner, own_redis: Any, until: Callable[..., None]
) -> None:
    run = pair.submit(ROOM)
    assert isinstance(run, RemoteRun)
    told = Followed(run)
    until(lambda: run.output_so_far()[0] == "begun\n")
    own_redis.stop()
    begun = time.monotonic()
    here = pair.submit(Request("print(1)\n"))
    assert not isinstance(here, RemoteRun), "the first that notices runs here too"
    assert here.wait(20)
    assert pair.away
    assert run.wait(20)
    assert (run.state, run.output_so_far()[0], run.is_here) == ("done", "begun\ndone\n", True)
    assert told.ended.wait(5)
    assert told.states.count("done") == 1
    assert time.monotonic() - begun < 10
    own_redis.start()
    until(lambda: not pair.away and pair.workers == 1)
    again = pair.submit(Request("print(2)\n"))
    assert isinstance(again, RemoteRun)
    assert again.wait(20)
    assert (again.state, again.output_so_far()[0], again.is_here) == ("done", "2\n", False)


def test_redis_restarts_and_has_forgotten_everything(
    pair: ClusterRunner, own_redis: Any, until: Callable[..., None]
) -> None:
    run = pair.submit(ROOM)
    assert isinstance(run, RemoteRun)
    told = Followed(run)
    until(lambda: run.output_so_far()[0] == "begun\n")
    own_redis.stop()
    own_redis.start()
    assert run.wait(30)
    assert told.ended.wait(5)
    assert (run.state, run.output_so_far()[0], told.states.count("done")) == ("done", "begun\ndone\n", 1)


def test_another_web_process_goes_on_with_a_run(
    with_worker: ClusterRunner, sandbox: Runner, redis_url: str, until: Callable[..., None]
) -> None:
    first, second = (ClusterRunner(Shared(sandbox), redis_url) for _ in range(2))
    first.start()
    second.start()
    asks = first.submit(Request("print('hello', input('who? '))\n", interactive=True))
    assert first.announce("known", "ada", asks)
    assert first.announce_same("too", "bob", "known")
    until(lambda: asks.state == "asking")
    first.close()
    found, same = second.find("known"), second.find("too")
    assert found is not None
    assert same is not None
    assert (found.session, same.session) == ("ada", "bob")
    assert (found.run.state, found.run.prompt()) == ("asking", "who? ")
    assert found.run.answer("Ada")
    assert found.run.wait(20)
    assert same.run.wait(5)
    done = second.find("known")
    assert done is not None
    assert (done.run.state, done.run.output_so_far()[0]) == ("done", "who? Ada\nhello Ada\n")
    second.forget("known")
    assert second.find("known") is None
    second.close()


def test_without_a_worker_programs_run_here(sandbox: Runner, own_redis: Any) -> None:
    alone = ClusterRunner(Shared(sandbox), own_redis.url)
    run = alone.submit(Request("print(1)\n"))
    assert not isinstance(run, RemoteRun)
    assert run.wait(20)
    assert (alone.away, alone.workers) == (False, 0)
    alone.close()


def _who_has(url: str, run: Any) -> str:
    """The name of the worker that has taken it."""
    ((_, by, _, _),) = Ledger(client(url)).standing([run.id])
    return by


@pytest.mark.slow
def test_a_worker_that_is_killed_and_another_one(
    start_worker: Callable[..., Any], sandbox: Runner, own_redis: Any, until: Callable[..., None]
) -> None:
    """The run is done again by the other one; it is shown once. One that has asked is said to have failed."""
    workers = [start_worker("--slots", "2") for _ in range(2)]
    cluster = ClusterRunner(NotHere(sandbox), own_redis.url)
    cluster.start()
    until(lambda: cluster.workers == 2)
    run = cluster.submit(Request("import time\nprint('begun')\ntime.sleep(3)\nprint('done')\n"))
    assert isinstance(run, RemoteRun)
    told = Followed(run)
    until(lambda: run.output_so_far()[0] == "begun\n")
    asked = [cluster.submit(Request("input('who? ')\n", interactive=True)) for _ in range(4)]
    until(lambda: all(one.state == "asking" for one in asked))
    victim = next(one for one in workers if f":{one.process.pid}:" in _who_has(own_redis.url, run))
    lost = [one for one in asked if _who_has(own_redis.url, one) == _who_has(own_redis.url, run)]
    assert lost, "none of four came to the worker of the first"
    victim.kill()
    begun = time.monotonic()
    for one in lost:
        assert one.wait(30)
        assert (one.state, one.error) == ("failed", LOST)
    assert run.wait(40)
    assert (run.state, run.output_so_far()[0], run.attempt) == ("done", "begun\ndone\n", 2)
    assert told.ended.wait(5)
    assert told.states.count("done") == 1
    print(f"{time.monotonic() - begun:.1f} s from the worker's death to the end of its run")
    for one in asked:
        one.cancel()
    cluster.close()


@pytest.mark.slow
def test_the_only_worker_is_killed(
    start_worker: Callable[..., Any], sandbox: Runner, own_redis: Any, until: Callable[..., None]
) -> None:
    only = start_worker()
    cluster = ClusterRunner(Shared(sandbox), own_redis.url)
    cluster.start()
    run = cluster.submit(ROOM)
    assert isinstance(run, RemoteRun)
    until(lambda: run.output_so_far()[0] == "begun\n")
    only.kill()
    assert run.wait(30)
    assert (run.state, run.output_so_far()[0], run.is_here) == ("done", "begun\ndone\n", True)
    cluster.close()


@pytest.mark.slow
def test_a_worker_that_is_told_to_end_finishes_what_it_has(
    start_worker: Callable[..., Any], sandbox: Runner, own_redis: Any, until: Callable[..., None]
) -> None:
    worker = start_worker()
    cluster = ClusterRunner(Shared(sandbox), own_redis.url)
    cluster.start()
    run = cluster.submit(ROOM)
    assert isinstance(run, RemoteRun)
    until(lambda: run.output_so_far()[0] == "begun\n")
    assert worker.end() == 0
    assert run.wait(5)
    assert (run.state, run.is_here, run.attempt) == ("done", False, 1)
    cluster.close()
