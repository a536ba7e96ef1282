"""Measuring over HTTP: progress, the document, cancelling, and what cannot be asked for."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from app.documents import Finisher
from app.runner import Runner
from app.web import Config, create_app

LOOP = "import torch\nw = torch.ones(2)\nfor i in range(4):\n    w = w * 2\n"


@pytest.fixture(scope="module")
def real(real_runner: Runner, finisher: Finisher) -> Iterator[FlaskClient]:
    """A client of an application whose runner is the real one."""
    app = create_app(Config(record_examples=False), runner=real_runner, finisher=finisher)
    with app.test_client() as client:
        yield client


def events_of(client: FlaskClient, id: str) -> list[tuple[str, Any]]:
    text = client.get(f"/api/runs/{id}/events").get_data(as_text=True)
    blocks = [block.split("\n") for block in text.split("\n\n") if "event: " in block]
    return [(block[1].removeprefix("event: "), json.loads(block[2].removeprefix("data: "))) for block in blocks]


def test_a_measurement_tells_its_progress_and_is_a_document(real: FlaskClient) -> None:
    begun = real.post("/api/runs", json={"source": LOOP, "measure": {"repeats": 3, "line": 4}})
    assert begun.status_code == 202
    id = begun.get_json()["id"]
    events = events_of(real, id)
    told = [data for name, data in events if name == "measuring"]
    assert told
    assert all(data["of"] == 6 for data in told)
    assert [data["done"] for data in told] == sorted({data["done"] for data in told})
    assert events[-1][0] == "done"
    found = real.get(f"/api/runs/{id}").get_json()
    assert (found["format"], found["version"], found["repeats"]) == ("stepgraph-measurement", 1, 3)
    assert found["target"] == {"line": 4, "what": "statement", "name": ""}
    assert [loop["count"] for loop in found["loops"]] == [4]
    assert found["program"]["source"] == LOOP


def test_every_measurement_runs_anew(real: FlaskClient) -> None:
    source = "import time, torch\nfor i in range(2):\n    torch.ones(2) + time.time()\n"
    asked = {"source": source, "measure": {"repeats": 2}, "wait": True}
    first, second = (real.post("/api/runs", json=asked).get_json() for _ in range(2))
    assert first["total"]["samples"] != second["total"]["samples"]


def test_a_measurement_can_be_stopped(real: FlaskClient) -> None:
    id = real.post("/api/runs", json={"source": "while True: pass", "seconds": 30, "measure": {}}).get_json()["id"]
    begun = time.monotonic()
    assert real.delete(f"/api/runs/{id}").status_code == 204
    assert events_of(real, id)[-1][0] == "cancelled"
    assert time.monotonic() - begun < 20
    assert real.get(f"/api/runs/{id}").status_code == 410


def test_a_line_where_nothing_begins_is_said(real: FlaskClient) -> None:
    answer = real.post("/api/runs", json={"source": "\n" + LOOP, "measure": {"line": 1}, "wait": True})
    assert answer.status_code == 500
    assert "begins in line 1" in answer.get_json()["error"]["message"]


@pytest.mark.parametrize(
    "more",
    [
        {"measure": True},
        {"measure": {"repeats": 0}},
        {"measure": {"repeats": 26}},
        {"measure": {"repeats": True}},
        {"measure": {"line": 99}},
        {"measure": {"line": -1}},
        {"measure": {"loops": 1}},
        {"measure": {}, "interactive": True},
    ],
)
def test_what_cannot_be_measured(real: FlaskClient, more: dict[str, Any]) -> None:
    answer = real.post("/api/runs", json={"source": LOOP, **more})
    assert answer.status_code == 422
    assert answer.get_json()["error"]["hint"]
