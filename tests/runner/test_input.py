"""Programs that ask: answers, the end of the input, time that does not count, places that are left to others."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from app.runner import Limits, Request, Run, Runner
from app.runner.journal_file import JournalFile
from engine.recording.journal import COUNTERS, HEADER_BYTES
from engine.recording.rows import ROW_BYTES, Kind

TWICE = "n = int(input('n? '))\nprint(2 * n)\n"


@pytest.fixture(
    scope="module", params=["auto", *(pytest.param(name, marks=pytest.mark.slow) for name in ("strict", "plain"))]
)
def asked(request: pytest.FixtureRequest) -> Iterator[Runner]:
    runner = Runner(spares=1, workers=1, backend=request.param)
    runner.start()
    yield runner
    runner.close()


@pytest.fixture(scope="module")
def one() -> Iterator[Runner]:
    runner = Runner(spares=1, workers=1)
    runner.start()
    yield runner
    runner.close()


def ask(runner: Runner, source: str, *, seconds: float = 10, **more: Any) -> Run:
    return runner.submit(Request(source, interactive=True, limits=Limits(seconds=seconds), **more))


def until_asking(run: Run) -> None:
    end = time.monotonic() + 20
    seen = 0
    while run.state != "asking":
        assert time.monotonic() < end, run.state
        assert not run.wait(0), (run.state, run.error, run.trace and json.loads(run.trace)["stdout"])
        seen = run.wait_change(seen, 1)


def ended(run: Run) -> dict[str, Any]:
    assert run.wait(30)
    assert run.trace is not None, run.error
    trace: dict[str, Any] = json.loads(run.trace)
    return trace


def test_a_program_asks_and_gets_its_answer(asked: Runner) -> None:
    run = ask(asked, TWICE + "print(input())\n")
    until_asking(run)
    assert (run.prompt(), run.output_so_far()[0]) == ("n? ", "n? ")
    assert run.answer("21")
    assert not run.answer("22"), "one answer for one question"
    until_asking(run)
    assert run.answer("grün")
    trace = ended(run)
    assert (trace["stdout"], run.exit_status) == ("n? 21\n42\ngrün\ngrün\n", 0)
    answers = trace["events"]["asked"]
    assert [trace["stdout"][o : o + n] for o, n in zip(answers["offset"], answers["length"], strict=True)] == [
        "21\n",
        "grün\n",
    ]


def test_no_more_input_is_an_eoferror(asked: Runner) -> None:
    run = ask(asked, "try:\n    input()\nexcept EOFError:\n    print('end')\nprint(repr(open(0).read()))\n")
    until_asking(run)
    assert run.end_input()
    assert ended(run)["stdout"] == "end\n''\n"


def test_waiting_costs_no_time(one: Runner) -> None:
    run = ask(one, TWICE, seconds=1)
    until_asking(run)
    time.sleep(1.8)
    assert run.state == "asking"
    assert run.answer("3")
    trace = ended(run)
    assert (trace["end"]["kind"], trace["stdout"]) == ("ok", "n? 3\n6\n")
    assert trace["seconds"]["total"] < 1


def test_the_deadline_still_counts_after_an_answer(one: Runner) -> None:
    run = ask(one, "import time\ninput()\ntime.sleep(60)\n", seconds=0.5)
    until_asking(run)
    time.sleep(0.7)
    run.answer("")
    begun = time.monotonic()
    end = ended(run)["end"]
    assert (end["kind"], end["limit"]) == ("limit", "time")
    assert 0.4 < time.monotonic() - begun < 5


def test_patience_has_an_end(one: Runner) -> None:
    run = ask(one, TWICE, patience=0.4)
    trace = ended(run)
    assert (run.exit_status, trace["end"]["error"]["type"], trace["end"]["line"]) == (1, "EOFError", 1)


FORGER = """
import gc, mmap, struct, time
journal = next(o for o in gc.get_objects() if type(o).__name__ == "Journal")
number = 0
while True:
    number += 1
    struct.pack_into("<QQQ", journal.buffer, 96, number, number - 1, 1 << 62)
    time.sleep(0.02)
"""


def test_who_only_pretends_to_wait_gains_no_more_than_its_patience(one: Runner) -> None:
    begun = time.monotonic()
    run = ask(one, FORGER, seconds=0.5, patience=0.2)
    end = ended(run)["end"]
    assert (end["kind"], end["limit"]) == ("limit", "time")
    assert time.monotonic() - begun < 6


def test_who_waits_leaves_its_place_to_others(one: Runner) -> None:
    waiting = [ask(one, TWICE) for _ in range(3)]
    for run in waiting:
        until_asking(run)
    quick = one.submit(Request("print(1)"))
    assert ended(quick)["stdout"] == "1\n"
    for number, run in enumerate(waiting):
        assert run.answer(str(number))
    assert [ended(run)["stdout"] for run in waiting] == [f"n? {n}\n{2 * n}\n" for n in range(3)]
    assert ended(one.submit(Request("print(2)")))["stdout"] == "2\n"
    end = time.monotonic() + 5
    while len(one._threads) > 1:
        assert time.monotonic() < end, "the workers that stood in are gone again"
        time.sleep(0.02)


def test_one_that_waits_can_be_cancelled(one: Runner) -> None:
    run = ask(one, TWICE)
    until_asking(run)
    run.cancel()
    assert run.wait(10)
    assert run.state == "cancelled"
    assert not run.answer("1")


def test_without_interactive_nobody_is_asked(one: Runner) -> None:
    run = one.submit(Request(TWICE, stdin=""))
    assert ended(run)["end"]["error"]["type"] == "EOFError"
    assert not run.answer("1")


def test_given_input_comes_first(one: Runner) -> None:
    run = ask(one, "print(input() + input())\n", stdin="a\nb")
    until_asking(run)
    assert run.answer("c")
    assert ended(run)["stdout"] == "a\nbc\nabc\n"


def test_output_by_stream_while_the_program_runs(one: Runner) -> None:
    source = "import os, sys\nprint('a')\nprint('b', file=sys.stderr)\nprint(input('c'))\nos.write(1, b'\\xff')\n"
    run = ask(one, source)
    taken: list[tuple[int, bytes]] = []
    until_asking(run)
    taken += run.take_output()
    assert taken == [(1, b"a\n"), (2, b"b\n"), (1, b"c")]
    run.answer("d")
    ended(run)
    taken += run.take_output()
    assert [(s, d) for s, d in taken[3:] if d] == [(0, b"d\n"), (1, b"d\n"), (1, b"\xff")]


def test_forged_claims_of_output_are_clipped() -> None:
    journal = JournalFile(Limits(events=300, output_bytes=100))
    try:
        place = HEADER_BYTES + journal.sizes.rows * ROW_BYTES + journal.sizes.heap
        journal._write(place, b"abcdef")
        from engine.recording.rows import LAYOUT

        def row(kind: int, offset: int, length: int, stream: int) -> bytes:
            return LAYOUT.pack(kind, 0, 0, -1, -1, 0, -1, offset, length, stream, -1, -1, -1, -1, 0, 0)

        rows = [(Kind.OUTPUT, 1, 2, 2), (Kind.OUTPUT, -5, 1 << 30, 77), (Kind.ASKED, 2, -9, 0), (Kind.LINE, 0, 6, 1)]
        journal._write(HEADER_BYTES, b"".join(row(*one) for one in rows))
        journal._write(COUNTERS, len(rows).to_bytes(8, "little") + bytes(8) + (6).to_bytes(8, "little"))
        pieces, _, offset = journal.pieces(0, 0)
        assert pieces == [(1, b"a"), (2, b"bc"), (1, b"def")]
        assert (offset, journal.rest(offset)) == (6, b"")
    finally:
        journal.close()
