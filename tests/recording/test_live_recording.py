"""``with engine.record()``: what the engine does in a block of a program that runs already."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine import events
from engine.recording import record, shown_by
from engine.recording.config import Limits
from engine.trace.reading import printed, table
from engine.trace.validate import validate


def test_a_block_is_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    w = engine.tensor([1.0, 2.0], requires_grad=True)
    with engine.record(name="mine.py") as run:
        loss = engine.sum(w * w)
        print("loss", loss.item())
        loss.backward()
    engine.sum(w)
    assert events.listener is None
    trace = run.trace
    validate(trace)
    assert trace["program"]["name"] == "mine.py"
    assert trace["end"]["kind"] == "ok"
    assert printed(trace) == capsys.readouterr().out == "loss 5.0\n"
    lines = trace["program"]["source"].split("\n")
    assert len(table(trace, "events.ran")) == 2
    at = {lines[span["line"] - 1].strip() for span in table(trace, "spans")}
    assert {"loss = engine.sum(w * w)", "loss.backward()"} <= at
    assert table(trace, "events.accumulated")
    assert repr(run).startswith("<recording of mine.py, ")


def test_an_error_passes_through_and_is_in_the_recording() -> None:
    with pytest.raises(engine.ShapeError) as raised, record() as run:
        engine.tensor([1.0, 2.0]) + engine.tensor([1.0, 2.0, 3.0])
    assert run.trace["end"]["kind"] == "error"
    assert run.trace["end"]["error"]["message"] == str(raised.value)
    assert run.trace["end"]["line"] > 0
    validate(run.trace)


def _multiply(times: int) -> None:
    x = engine.tensor(1.0)
    for _ in range(times):
        x = x * 1.0


def test_a_full_recording_ends_the_block_and_is_valid() -> None:
    with pytest.raises(engine.StateError, match="the recording is full"), record(limits=Limits(events=200)) as run:
        _multiply(1000)
    assert (run.trace["end"]["kind"], run.trace["end"]["limit"]) == ("limit", "steps")
    validate(run.trace)
    assert events.listener is None


def test_no_recording_inside_another() -> None:
    with record() as outer:
        with pytest.raises(engine.StateError, match="recorded already"), record():
            pass
        with pytest.raises(engine.StateError, match="not finished"):
            _ = outer.trace
        engine.tensor([1.0]) * 2.0
    assert len(table(outer.trace, "events.ran")) == 1


def test_it_shows_itself_where_somebody_can(monkeypatch: pytest.MonkeyPatch) -> None:
    with record() as run:
        assert run._repr_html_() is None
    monkeypatch.setattr(shown_by, "as_html", None)
    assert run._repr_html_() is None
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(shown_by, "as_html", lambda trace: shown.append(trace) or "<p>")
    assert run._repr_html_() == "<p>"
    assert shown == [run.trace]
