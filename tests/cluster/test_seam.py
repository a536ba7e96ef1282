"""A run looks the same to those who wait for it, whether it is done here or by a worker."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.cluster.wire import pack, unpack
from app.runner import Limits, Measure, Request

ASKS = Request("name = input('who? ')\nprint('hello', name)\n", interactive=True)
SLEEPS = "import time\nprint('begun')\ntime.sleep(20)\n"


def trace_of(run: Any) -> dict[str, Any]:
    document = getattr(run, "document", None)
    found: dict[str, Any] = json.loads(document.text() if document else run.trace)
    return found


@pytest.mark.parametrize(
    ("request_", "kind", "stdout"),
    [
        (Request("print('é 😀')\nprint(2)\n"), "ok", "é 😀\n2\n"),
        (Request("print(input() + '!')\n", stdin="a\n"), "ok", "a\na!\n"),
        (Request("print(open('a.csv').read())\n", files=(("a.csv", b"1,2"),)), "ok", "1,2\n"),
        (Request("import sys\nprint(sys.argv[1:])\n", argv=("x", "y")), "ok", "['x', 'y']\n"),
        (Request("print(1)\n1 / 0\n"), "error", "1\n"),
        (Request("while True: pass\n", limits=Limits(seconds=0.3)), "limit", ""),
    ],
    ids=["text", "input", "files", "argv", "error", "limit"],
)
def test_a_program_is_run(runner: Any, request_: Request, kind: str, stdout: str) -> None:
    run = runner.submit(request_)
    assert run.wait(30)
    assert (run.state, run.error) == ("done", None)
    trace = trace_of(run)
    assert trace["end"]["kind"] == kind
    assert trace["stdout"].startswith(stdout)


def test_output_comes_while_it_runs(runner: Any, until: Callable[..., None]) -> None:
    run = runner.submit(Request(SLEEPS))
    until(lambda: run.output_so_far() == ("begun\n", 3))
    assert (run.state, run.queue_place(), run.asked) == ("running", 0, False)
    run.cancel()
    assert run.wait(10)
    assert run.state == "cancelled"
    assert run.output_so_far()[0] == "begun\n"


def test_a_program_that_is_halted_leaves_its_recording(runner: Any, until: Callable[..., None]) -> None:
    run = runner.submit(Request(SLEEPS))
    until(lambda: run.output_so_far() == ("begun\n", 3))
    assert run.halt()
    assert run.wait(20)
    assert (run.state, run.halted) == ("done", True)
    trace = trace_of(run)
    assert (trace["end"]["kind"], trace["end"]["limit"], trace["end"]["line"]) == ("limit", "stopped", 3)
    assert trace["stdout"] == "begun\n"
    assert not run.halt()


def test_questions_are_answered(runner: Any, until: Callable[..., None]) -> None:
    run = runner.submit(ASKS)
    assert not run.answer("too early")
    until(lambda: run.state == "asking")
    assert (run.prompt(), run.asked) == ("who? ", True)
    assert run.answer("Ada <b>")
    assert not run.answer("twice")
    assert run.wait(20)
    assert run.output_so_far()[0] == "who? Ada <b>\nhello Ada <b>\n"
    assert trace_of(run)["stdout"] == run.output_so_far()[0]


def test_the_end_of_the_input(runner: Any, until: Callable[..., None]) -> None:
    run = runner.submit(ASKS)
    until(lambda: run.state == "asking")
    assert run.end_input()
    assert run.wait(20)
    assert trace_of(run)["end"]["error"]["type"] == "EOFError"


def test_of_an_owner_one_runs_and_one_that_asks_does_not_count(runner: Any, until: Callable[..., None]) -> None:
    def owned(source: str, *, interactive: bool = False) -> Any:
        return runner.submit(Request(source, owner="ada", interactive=interactive))

    first, second = owned(SLEEPS), owned("print(2)\n")
    until(lambda: first.state == "running")
    other = runner.submit(Request("print(3)\n", owner="bob"))
    assert other.wait(20)
    assert second.state == "queued"
    assert second.queue_place() == 1
    first.cancel()
    assert second.wait(20)
    assert second.state == "done"
    asks, after = owned(ASKS.source, interactive=True), owned("print(4)\n")
    assert after.wait(20)
    assert asks.state == "asking"
    asks.cancel()
    assert asks.wait(20)


def test_one_that_waits_is_withdrawn(runner: Any, until: Callable[..., None]) -> None:
    first, second = (runner.submit(Request(SLEEPS, owner="cem")) for _ in range(2))
    until(lambda: first.state == "running")
    second.cancel()
    assert second.wait(5)
    assert second.state == "cancelled"
    first.cancel()
    assert first.wait(10)


def test_a_measurement_is_made_in_one_place(runner: Any) -> None:
    run = runner.measure(Request("print(sum(range(1000)))\n"), Measure(repeats=2))
    assert run.wait(60)
    assert (run.state, run.progress()) == ("done", (5, 5))
    assert trace_of(run)["repeats"] == 2


@pytest.mark.parametrize("measure", [None, Measure(repeats=3, line=2)])
def test_nothing_of_a_request_is_lost_on_the_way(measure: Measure | None) -> None:
    request = Request(
        "\ud800 é\0", name="a.py", argv=("x",), stdin=None, interactive=True, patience=3.5,
        limits=Limits(seconds=2, events=7), files=(("a/b.bin", bytes(range(256))),), owner="o",
    )  # fmt: skip
    assert unpack(pack(request, measure)) == (request, measure)
