"""The example programs: their files, their recordings, and that each does what its note says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.examples import ExampleError, load, parse
from app.runner import Request, Runner

EXAMPLES = {example.id: example for example in load()}


def test_the_list_has_everything_the_picker_needs(client: FlaskClient) -> None:
    listed = client.get("/api/examples").get_json()["examples"]
    assert [entry["id"] for entry in listed] == list(EXAMPLES)
    assert 8 <= len(listed) <= 12
    assert len({entry["id"] for entry in listed}) == len(listed)
    for entry in listed:
        assert set(entry) == {"id", "title", "group", "note", "name", "source", "links"}
        assert len(entry["source"].splitlines()) <= 30
        assert not entry["source"].startswith(("#", "\n"))
        assert entry["source"].endswith("\n")


def test_a_recording_is_made_once(client: FlaskClient, runner: Any) -> None:
    runner.instant = True
    first = client.get("/api/examples/plain-python/trace")
    second = client.get("/api/examples/plain-python/trace", headers={"If-None-Match": first.headers["ETag"]})
    assert first.status_code == 200
    assert first.get_json()["layout"]["version"] == 1
    assert second.status_code == 304
    assert [run.request.source for run in runner.runs] == [EXAMPLES["plain-python"].source]


def test_a_recording_that_failed_is_tried_again(client: FlaskClient, runner: Any) -> None:
    runner.instant = True
    good, runner.trace = runner.trace, b"broken"
    failed = client.get("/api/examples/plain-python/trace")
    assert failed.status_code == 503
    assert "could not be recorded" in failed.get_json()["error"]["message"]
    runner.trace = good
    assert client.get("/api/examples/plain-python/trace").status_code == 200


def test_all_are_recorded_in_the_background(make: Callable[..., Flask], runner: Any, until: Any) -> None:
    runner.instant = True
    app = make()
    app.extensions["stepgraph"].examples.record_all().join(10)
    assert [run.request.name for run in runner.runs] == [example.name for example in EXAMPLES.values()]


@pytest.mark.parametrize("text", ["import torch\n", "# title: A\n# group: B\n\nx\n", "# title: A\n# oops\n\nx\n"])
def test_a_header_that_is_not_complete_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "01_bad.py"
    file.write_text(text)
    with pytest.raises(ExampleError, match=r"01_bad\.py: the header"):
        parse(file)


# What each example prints and how it ends. Printed figures are those of real torch 2.13 and TensorFlow 2.21.
ENDS: dict[str, tuple[int, str | None]] = {
    "shape-mismatch-torch": (1, "RuntimeError"),
    "shape-mismatch-tf1": (1, "ValueError"),
}


@pytest.mark.parametrize("id", EXAMPLES)
def test_every_example_runs_as_its_note_says(real_runner: Runner, id: str) -> None:
    import json

    example = EXAMPLES[id]
    run = real_runner.submit(Request(example.source, name=example.name))
    assert run.wait(30)
    assert run.state == "done", run.error
    trace = json.loads(run.trace or b"")
    status, error = ENDS.get(id, (0, None))
    assert run.exit_status == status, trace["end"]
    assert (trace["end"]["error"] or {}).get("type") == error
    if error is None:
        assert trace["end"]["kind"] == "ok"
        assert trace["stdout"].count("\n") >= 3
