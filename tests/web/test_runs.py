"""Runs over HTTP: hand in, follow, fetch, stop."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient


def post(client: FlaskClient, source: str = "print(1)", **keys: Any) -> Any:
    return client.post("/api/runs", json={"source": source, **keys})


def test_a_run_is_accepted_queued_and_then_gives_its_trace(client: FlaskClient, runner: Any, until: Any) -> None:
    accepted = post(client, "x = 1")
    assert accepted.status_code == 202
    body = accepted.get_json()
    assert body["state"] == "queued"
    assert (body["place"], body["seconds"]) == (1, 1)
    assert accepted.headers["Location"] == body["links"]["trace"] == f"/api/runs/{body['id']}"
    assert runner.runs[0].request.source == "x = 1"

    runner.runs[0].become("running")
    progress = client.get(body["links"]["trace"])
    assert (progress.status_code, progress.get_json()["state"]) == (202, "running")
    assert "place" not in progress.get_json()

    runner.runs[0].become("done")
    until(lambda: client.get(body["links"]["trace"]).status_code == 200)
    trace = client.get(body["links"]["trace"]).get_json()
    assert trace["format"] == "stepgraph-trace"
    assert trace["stdout"] == "hello\n"
    assert trace["layout"]["version"] == 1


def test_wait_answers_with_the_trace_at_once(client: FlaskClient, runner: Any) -> None:
    runner.instant = True
    response = post(client, wait=True)
    assert response.status_code == 200
    assert response.mimetype == "application/json"
    assert response.get_json()["stdout"] == "hello\n"
    assert client.get(response.headers["Location"]).get_json() == response.get_json()


def test_traces_are_compressed_where_that_is_accepted(client: FlaskClient, runner: Any) -> None:
    runner.instant = True
    address = post(client, wait=True).headers["Location"]
    plain = client.get(address)
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    refused = client.get(address, headers={"Accept-Encoding": "gzip;q=0, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in refused.headers
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = client.get(address, headers={"If-None-Match": plain.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_keys_reach_the_runner(client: FlaskClient, runner: Any) -> None:
    post(client, "print(input())\r\n", name="my net.py", stdin="drei\n", seconds=2.5)
    request = runner.runs[0].request
    assert request.source == "print(input())\n"
    assert (request.name, request.stdin, request.limits.seconds) == ("my net.py", "drei\n", 2.5)


def test_a_run_can_be_stopped(client: FlaskClient, runner: Any, until: Any) -> None:
    address = post(client).get_json()["links"]["trace"]
    stopped = client.delete(address)
    assert (stopped.status_code, stopped.data) == (204, b"")
    assert runner.runs[0].state == "cancelled"
    until(lambda: client.get(address).status_code == 410)
    assert client.get(address).get_json()["error"]["message"] == "This run was stopped."
    assert client.delete(address).status_code == 204


def test_a_program_that_is_stopped_leaves_its_recording(client: FlaskClient, runner: Any, until: Any) -> None:
    address = post(client).get_json()["links"]["trace"]
    early = client.post(f"{address}/stop")
    assert early.status_code == 409
    assert early.get_json()["error"]["message"] == "This program does not run now."
    runner.runs[0].become("running")
    assert client.post(f"{address}/stop").status_code == 204
    until(lambda: client.get(address).status_code == 200)
    assert client.post(f"{address}/stop").status_code == 409


def test_a_deleted_recording_is_gone(client: FlaskClient, runner: Any, until: Any) -> None:
    for end in ("done", "failed"):
        address = post(client).get_json()["links"]["trace"]
        runner.runs[-1].become(end)
        until(lambda address=address: client.get(address).status_code in (200, 500))
        assert client.delete(address).status_code == 204
        assert client.get(address).status_code == 410
        assert "event: cancelled" in client.get(f"{address}/events").text
        assert client.delete(address).status_code == 204


def test_a_recording_that_is_deleted_before_it_is_finished_never_comes(
    client: FlaskClient, runner: Any, until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = client.application.extensions["stepgraph"].desk
    go = threading.Event()
    finish = desk.finisher.finish
    monkeypatch.setattr(desk.finisher, "finish", lambda *words: go.wait(5) and finish(*words))
    address = post(client).get_json()["links"]["trace"]
    runner.runs[0].become("done")
    until(lambda: client.get(address).get_json()["state"] == "building")
    assert client.delete(address).status_code == 204
    go.set()
    until(lambda: client.get(address).status_code != 202)
    assert client.get(address).status_code == 410


def test_a_run_of_a_session_obeys_it_alone_and_one_without_obeys_its_id(make: Callable[..., Flask], until: Any) -> None:
    app = make()
    ada, bob, curl = app.test_client(), app.test_client(), app.test_client(use_cookies=False)
    ada.get("/")
    bob.get("/")
    owned = post(ada).get_json()["links"]["trace"]
    for stranger in (bob, curl):
        assert stranger.get(owned).status_code == 202
        refused = stranger.delete(owned)
        assert refused.status_code == 403
        assert "another browser session" in refused.get_json()["error"]["message"]
        assert stranger.post(f"{owned}/input", json={"text": "1"}).status_code == 403
        assert stranger.post(f"{owned}/stop").status_code == 403
    assert ada.delete(owned).status_code == 204
    until(lambda: ada.get(owned).status_code == 410)
    for who in (curl, bob):
        free = post(curl).get_json()["links"]["trace"]
        assert who.get(free).status_code == 202
        assert who.delete(free).status_code == 204


def test_a_run_that_the_runner_lost_says_so(client: FlaskClient, runner: Any, until: Any) -> None:
    address = post(client).get_json()["links"]["trace"]
    runner.runs[0].become("failed")
    until(lambda: client.get(address).status_code == 500)
    assert client.get(address).get_json()["error"]["message"] == "The sandbox went away."


def test_hostile_traces_are_refused_and_cost_nothing_else(
    client: FlaskClient, runner: Any, until: Any, trace: bytes
) -> None:
    forged = json.loads(trace)
    forged["steps"]["line"] = ["<script>"]
    for raw in (
        b"",
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b"null",
        b"[]",
        b"{}",
        trace[:-20],
        trace.replace(b"stepgraph-trace", b"other-trace"),
        json.dumps(forged).encode(),
        trace[:-1] + b', "extra": NaN}',
    ):
        address = post(client).get_json()["links"]["trace"]
        runner.runs[-1].become("done", trace=raw)
        until(lambda address=address: client.get(address).status_code != 202)
        answer = client.get(address)
        assert answer.status_code == 500, raw[:40]
        assert "recording" in answer.get_json()["error"]["message"]
    runner.instant = True
    assert post(client, wait=True).status_code == 200


def test_a_trace_beyond_the_cap_is_refused(make: Callable[..., Flask], runner: Any, trace: bytes) -> None:
    runner.instant = True
    client = make(max_trace_bytes=len(trace) - 1).test_client()
    answer = post(client, wait=True)
    assert answer.status_code == 500
    assert "MB" in answer.get_json()["error"]["message"]
    assert post(make(max_trace_bytes=len(trace)).test_client(), wait=True).status_code == 200


def test_unknown_runs_and_addresses_are_json_errors(client: FlaskClient) -> None:
    for method, address, status in (
        ("get", "/api/runs/nosuch", 404),
        ("delete", "/api/runs/nosuch", 404),
        ("get", "/api/runs/nosuch/events", 404),
        ("get", "/api/runs/%00%ff", 404),
        ("get", "/api/nothing", 404),
        ("get", "/api/runs", 405),
        ("put", "/api/runs", 405),
        ("post", "/api/examples", 405),
        ("get", "/api/examples/nosuch/trace", 404),
    ):
        response = client.open(address, method=method.upper())
        assert response.status_code == status, address
        error = response.get_json()["error"]
        assert error["message"], address
        assert error["hint"], address
        if status == 405:
            assert response.headers["Allow"]


def test_a_crash_of_ours_is_a_json_error(make: Callable[..., Flask], runner: Any) -> None:
    app = make()
    runner.submit = lambda request: 1 / 0
    response = post(app.test_client())
    assert response.status_code == 500
    assert "not to blame" in response.get_json()["error"]["message"]
    assert "ZeroDivision" not in response.text
