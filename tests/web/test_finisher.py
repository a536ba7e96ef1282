"""The processes that check and lay out: deadline, death, closing."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from app.documents import BadTraceError, Finisher
from app.documents.document import finish

BIG = 1 << 26


def test_a_document_is_the_trace_with_its_layout(trace: bytes) -> None:
    finisher = Finisher(workers=1)
    try:
        document = finisher.finish(trace, BIG)
        found = json.loads(document.text())
        assert found.pop("layout")["version"] == 1
        assert found == json.loads(trace)
        assert (document.end, document.size) == ("ok", len(document.text()))
        assert finisher.finish(trace, BIG) == document
    finally:
        finisher.close()


def test_one_that_takes_too_long_costs_only_itself(trace: bytes) -> None:
    finisher = Finisher(workers=1, seconds=0.01)
    try:
        with pytest.raises(BadTraceError, match="Run fewer iterations"):
            finisher.finish(trace, BIG)
        finisher._seconds = 20
        assert finisher.finish(trace, BIG).end == "ok"
    finally:
        finisher.close()


def test_a_process_that_dies_is_replaced(trace: bytes) -> None:
    finisher = Finisher(workers=1)
    try:
        finisher.finish(trace, BIG)
        finisher._idle[0].kill()
        finisher._idle[0].wait()
        found = json.loads(finisher.finish(trace, BIG).text())
        assert found["layout"]["note"] == ""
    finally:
        finisher.close()


STUBBORN = """
import sys, time, os
sys.path.insert(0, sys.argv[1])
from app.documents import child, frames
real = frames.read_frame
def read(pipe):
    kind, raw = real(pipe)
    if kind == frames.DRAW:
        {action}
    return kind, raw
frames.read_frame = read
child.main()
"""


@pytest.mark.parametrize(
    ("action", "why"), [("time.sleep(60)", "it was not ready within 3 s"), ("os._exit(9)", "lays it out was lost")]
)
def test_there_is_always_a_trace(
    action: str, why: str, trace: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "child.py"
    script.write_text(STUBBORN.format(action=action))
    monkeypatch.setattr("app.documents.finisher._CHILD", script)
    finisher = Finisher(workers=1, seconds=3)
    try:
        document = finisher.finish(trace, BIG)
    finally:
        finisher.close()
    found = json.loads(document.text())
    assert document.end == "ok"
    assert found["layout"]["graphs"] == []
    assert found["layout"]["note"].startswith("The graph could not be drawn: ")
    assert why in found["layout"]["note"]
    assert found["stdout"] == json.loads(trace)["stdout"]


def test_a_layout_that_fails_costs_only_the_picture(trace: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(trace: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr("app.documents.document.layout", broken)
    found = json.loads(finish(trace).text())
    assert found["layout"]["graphs"] == []
    assert "its layout failed (ZeroDivisionError)" in found["layout"]["note"]


def test_closing_ends_the_work(trace: bytes) -> None:
    finisher = Finisher(workers=1)
    caught: list[BadTraceError] = []

    def work() -> None:
        try:
            while True:
                finisher.finish(trace, BIG)
        except BadTraceError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    finisher.close()
    thread.join(5)
    assert not thread.is_alive()
    assert caught
    with pytest.raises(BadTraceError, match="closing"):
        finisher.finish(trace, BIG)
