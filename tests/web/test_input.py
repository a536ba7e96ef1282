"""Programs that ask, over HTTP: the event, the answer, who may give it, what is refused."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.runner import Run, Runner


def hand_in(client: FlaskClient, **keys: Any) -> str:
    id: str = client.post("/api/runs", json={"source": "x", **keys}).get_json()["id"]
    return id


def give(client: FlaskClient, id: str, **body: Any) -> Any:
    return client.post(f"/api/runs/{id}/input", json=body)


def test_a_program_that_asks_gets_its_answer(client: FlaskClient, runner: Any) -> None:
    id = hand_in(client)
    run = runner.runs[0]
    run.become("asking", output="Hi.\nName? ")
    progress = client.get(f"/api/runs/{id}").get_json()
    assert (progress["state"], progress["prompt"]) == ("asking", "Name? ")
    assert progress["links"]["input"] == f"/api/runs/{id}/input"
    assert give(client, id, text="Ada").status_code == 204
    assert give(client, id, text="Bob").status_code == 409
    run.become("asking")
    assert give(client, id, eof=True).status_code == 204
    assert run.answers == ["Ada", None]


def test_the_stream_says_once_for_each_question_that_the_program_asks(client: FlaskClient, runner: Any) -> None:
    id = hand_in(client)
    run = runner.runs[0]
    run.become("asking", output="a? ")
    events: list[tuple[str, Any]] = []
    again = threading.Event()

    def read() -> None:
        response = client.get(f"/api/runs/{id}/events", buffered=False)
        for block in response.response:
            text = block.decode() if isinstance(block, bytes) else block
            for one in text.split("\n\n"):
                fields = dict(line.split(": ", 1) for line in one.splitlines() if not line.startswith(":"))
                if "event" in fields:
                    events.append((fields["event"], json.loads(fields["data"])))
                    again.set()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()

    def until(count: int) -> None:
        for _ in range(100):
            if sum(name == "asks" for name, _ in events) >= count:
                return
            again.wait(0.1)
            again.clear()
        raise AssertionError(events)

    until(1)
    run.become("asking", output="7\nb? ")
    until(2)
    run.become("done")
    thread.join(5)
    assert [data for name, data in events if name == "asks"] == [{"prompt": "a? "}, {"prompt": "b? "}]
    assert [name for name, _ in events][-1] == "done"


@pytest.mark.parametrize(
    ("keys", "interactive"),
    [
        ({}, True),
        ({"stdin": "1"}, False),
        ({"wait": True}, False),
        ({"interactive": False}, False),
        ({"stdin": "1", "interactive": True}, True),
        ({"interactive": None, "stdin": None}, True),
    ],
)
def test_who_is_asked(client: FlaskClient, runner: Any, keys: dict[str, Any], interactive: bool) -> None:
    runner.instant = True
    assert client.post("/api/runs", json={"source": "x", **keys}).status_code in (200, 202)
    assert runner.runs[0].request.interactive is interactive


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"interactive": 1}, "must be true or false"),
        ({"interactive": True, "wait": True}, "cannot ask"),
    ],
)
def test_what_cannot_be_interactive(client: FlaskClient, runner: Any, keys: dict[str, Any], words: str) -> None:
    response = client.post("/api/runs", json={"source": "x", **keys})
    assert response.status_code == 422
    assert words in response.get_json()["error"]["message"]
    assert not runner.runs


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{}", 422),
        (b'{"text": 4}', 422),
        (b'{"text": null}', 422),
        (b'{"eof": false}', 422),
        (b'{"text": "1", "eof": true}', 422),
        (b'{"text": "\\ud800"}', 422),
        (b"[]", 422),
        (b"{", 400),
        (b"", 400),
        (json.dumps({"text": "y" * 10_001}).encode(), 413),
        (json.dumps({"text": "y" * 10_000}).encode(), 204),
        (b'{"text": ""}', 204),
    ],
)
def test_answers_are_checked(client: FlaskClient, runner: Any, body: bytes, status: int) -> None:
    id = hand_in(client)
    runner.runs[0].become("asking")
    response = client.post(f"/api/runs/{id}/input", data=body, content_type="application/json")
    assert response.status_code == status
    if status != 204:
        assert response.get_json()["error"]["hint"]
        assert runner.runs[0].answers == []


def test_only_who_handed_it_in_may_answer(make: Callable[..., Flask], runner: Any) -> None:
    app = make()
    mine, other = app.test_client(), app.test_client()
    mine.get("/")
    other.get("/")
    id = hand_in(mine)
    runner.runs[0].become("asking")
    assert give(other, id, text="1").status_code == 403
    assert runner.runs[0].answers == []
    assert give(mine, id, text="1").status_code == 204
    assert give(mine, "none", text="1").status_code == 404


def test_a_finished_run_asks_no_more(client: FlaskClient, runner: Any, until: Any) -> None:
    id = hand_in(client)
    runner.runs[0].become("done")
    until(lambda: client.get(f"/api/runs/{id}").status_code == 200)
    assert give(client, id, text="1").status_code == 409


def test_a_real_program_asks_over_http(
    make: Callable[..., Flask], runner: Any, real_runner: Runner, monkeypatch: pytest.MonkeyPatch, until: Any
) -> None:
    runs: list[Run] = []

    def submit(request: Any) -> Run:
        runs.append(real_runner.submit(request))
        return runs[-1]

    monkeypatch.setattr(runner, "submit", submit)
    client = make().test_client()
    id = hand_in(client, source="n = int(input('n? '))\nprint(2 * n)\n")
    until(lambda: client.get(f"/api/runs/{id}").get_json().get("state") == "asking")
    assert client.get(f"/api/runs/{id}").get_json()["prompt"] == "n? "
    assert give(client, id, text="21").status_code == 204
    until(lambda: client.get(f"/api/runs/{id}").status_code == 200)
    assert client.get(f"/api/runs/{id}").get_json()["stdout"] == "n? 21\n42\n"
