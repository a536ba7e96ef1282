"""The queue: order, places, progress, cancelling."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from app.runner import Limits, Request, Run, Runner
from app.runner.backend import BackendError
from engine.trace.reading import table

SLEEP = "import time\nprint('begun')\ntime.sleep(30)"


@pytest.fixture(scope="module")
def only() -> Iterator[Runner]:
    runner = Runner(workers=1)
    yield runner
    runner.close()


@pytest.fixture
def single(only: Runner) -> Iterator[Runner]:
    """With one worker, which is idle before and after."""
    yield only
    for run in (*only._queue.waiting, *only._queue.active):
        run.cancel()
        assert run.wait(20)


def until(condition: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.005)


def test_first_come_first_served(single: Runner, execute: Any) -> None:
    blocker = single.submit(Request(SLEEP))
    until(lambda: blocker.state == "running")
    runs = [single.submit(Request(f"print({number})")) for number in range(3)]
    assert [run.queue_place() for run in (blocker, *runs)] == [0, 1, 2, 3]
    assert [run.state for run in runs] == ["queued"] * 3
    runs[0].cancel()
    assert runs[0].state == "cancelled"
    assert [run.queue_place() for run in runs[1:]] == [1, 2]
    blocker.cancel()
    assert all(run.wait(20) for run in (blocker, *runs))
    assert blocker.state == "cancelled"
    assert [run.output_so_far()[0] for run in runs] == ["", "1\n", "2\n"]
    assert execute(single, "print('next')").output == "next\n"


def test_progress_is_seen_while_it_runs(runner: Runner) -> None:
    source = (
        "import time\nfor i in range(3):\n    print('step', i)\n    time.sleep(0.2)\ntime.sleep(0.3)\nprint('last')"
    )
    run = runner.submit(Request(source))
    states, outputs, lines, seen = set(), [], set(), -1
    while run.state not in ("done", "failed"):
        seen = run.wait_change(seen, 5)
        states.add(run.state)
        text, line = run.output_so_far()
        outputs.append(text)
        lines.add(line)
    assert {"running", "done"} <= states
    assert {"step 0\n", "step 0\nstep 1\n"} <= set(outputs)
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(outputs))
    assert {4, 5} & lines
    assert outputs[-1].endswith("last\n")


def test_wait_change_times_out_and_wait_too(single: Runner) -> None:
    run = single.submit(Request("import time\ntime.sleep(5)"))
    until(lambda: run.state == "running")
    time.sleep(0.2)
    seen = run.wait_change(-1, 1)
    begun = time.monotonic()
    assert run.wait_change(seen, 0.15) == seen
    assert 0.1 < time.monotonic() - begun < 2
    assert not run.wait(0.05)


def test_a_change_of_place_is_a_change(single: Runner) -> None:
    first = single.submit(Request(SLEEP))
    until(lambda: first.state == "running")
    second, third = single.submit(Request("1")), single.submit(Request("1"))
    seen = third.wait_change(-1, 1)
    threading.Timer(0.1, second.cancel).start()
    assert third.wait_change(seen, 10) != seen
    assert third.queue_place() == 1


def test_cancelling_a_running_program(runner: Runner) -> None:
    run = runner.submit(Request(SLEEP))
    until(lambda: run.output_so_far()[0] == "begun\n")
    begun = time.monotonic()
    run.cancel()
    assert run.wait(5)
    assert time.monotonic() - begun < 2
    assert (run.state, run.trace) == ("cancelled", None)
    run.cancel()  # once more does no harm


def test_a_halted_program_leaves_what_it_did(runner: Runner) -> None:
    run = runner.submit(Request("total = 0\nprint('begun')\nwhile True:\n    total += 1\n"))
    until(lambda: run.output_so_far()[0] == "begun\n")
    assert run.halt()
    assert run.wait(20)
    assert run.trace is not None
    assert (run.state, run.exit_status, run.halted) == ("done", 124, True)
    trace = json.loads(run.trace)
    assert (trace["end"]["kind"], trace["end"]["limit"]) == ("limit", "stopped")
    assert trace["stdout"] == "begun\n"
    assert [row["line"] for row in table(trace, "steps")[:3]] == [1, 2, 3]
    assert not run.halt()


def test_two_workers_run_at_the_same_time(runner: Runner) -> None:
    runs = [runner.submit(Request("import time\ntime.sleep(0.5)")) for _ in range(2)]
    until(lambda: all(run.state == "running" for run in runs), 5)
    assert all(run.wait(20) for run in runs)


def test_of_each_owner_one_runs_at_a_time(runner: Runner) -> None:
    ada, second = (runner.submit(Request(SLEEP, owner="ada")) for _ in range(2))
    until(lambda: ada.state == "running")
    bob = runner.submit(Request("print('bob')", owner="bob"))
    assert bob.wait(20)
    assert (ada.state, second.state, second.queue_place()) == ("running", "queued", 1)
    ada.cancel()
    until(lambda: second.state == "running")
    second.cancel()
    assert all(run.wait(20) for run in (ada, second))


def test_many_threads_submit(runner: Runner) -> None:
    answers: dict[int, str] = {}

    def ask(number: int) -> None:
        run = runner.submit(Request(f"print({number})"))
        assert run.wait(60)
        answers[number] = run.output_so_far()[0]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: f"{number}\n" for number in range(20)}


def test_ids_cannot_be_guessed(runner: Runner) -> None:
    runs = [runner.submit(Request("1")) for _ in range(3)]
    assert len({run.id for run in runs}) == 3
    assert all(len(run.id) >= 20 for run in runs)
    assert all(run.wait(20) for run in runs)


def test_closing_cancels_and_ends_everything() -> None:
    runner = Runner(workers=1)
    runs: list[Run] = [runner.submit(Request(SLEEP, limits=Limits(seconds=60))) for _ in range(2)]
    until(lambda: runs[0].state == "running")
    runner.close()
    assert [run.state for run in runs] == ["cancelled", "cancelled"]
    with pytest.raises(BackendError, match="closed"):
        runner.submit(Request("1"))


def test_a_backend_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="choose one of auto, bwrap"):
        Runner(backend="magic").start()
