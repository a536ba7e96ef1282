"""Two web processes as far as runs go: whichever is asked for a run, the one that has it answers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from werkzeug.test import Client

from app.web.neighbours import Neighbours

NAMES = ("0000000a", "0000000b")


@pytest.fixture
def pair(make: Callable[..., Flask], runner: Any) -> Iterator[tuple[FlaskClient, FlaskClient]]:
    """Clients of two processes."""
    runner.instant = True
    with tempfile.TemporaryDirectory(prefix="stepgraph-") as folder:
        apps = [make(process=name, proxies=1) for name in NAMES]
        for name, app in zip(NAMES, apps, strict=True):
            app.add_url_rule("/api/runs/<id>/caller", view_func=lambda id: request.remote_addr or "")
            neighbours = Neighbours(app, name, Path(folder), 4)
            app.extensions["stepgraph"].elsewhere = neighbours.document
            app.extensions["neighbours"] = neighbours
        yield apps[0].test_client(), apps[1].test_client()


def run_of(client: FlaskClient) -> str:
    """The id of a run that has ended."""
    id: str = client.post("/api/runs", json={"source": "print('hello')\n"}).get_json()["id"]
    client.get(f"/api/runs/{id}/events").get_data()
    return id


def test_a_run_is_passed_on_and_its_caller_with_it(pair: tuple[FlaskClient, FlaskClient]) -> None:
    id = run_of(pair[0])
    other = Client(pair[1].application.extensions["neighbours"])
    answer = other.get(f"/api/runs/{id}", headers={"Host": "localhost"}, buffered=True)
    assert answer.status_code == 200
    assert answer.get_json()["stdout"] == "hello\n"
    asked: dict[str, Any] = {
        "headers": {"X-Stepgraph-Caller": "forged"},
        "environ_base": {"REMOTE_ADDR": "192.0.2.7"},
        "buffered": True,
    }
    assert other.get(f"/api/runs/{id}/caller", **asked).text == "192.0.2.7"
    asked["headers"]["X-Forwarded-For"] = "198.51.100.4"
    assert other.get(f"/api/runs/{id}/caller", **asked).text == "198.51.100.4"


def test_an_exercise_is_judged_by_a_run_of_another_process(pair: tuple[FlaskClient, FlaskClient]) -> None:
    path = "/api/lessons/gradients/exercises/zero-grad"
    judged = pair[1].post(path, json={"run": run_of(pair[0])})
    assert judged.status_code == 200
    assert judged.get_json()["passed"] is False
    for gone in (f"{NAMES[0]}.gone", f"{NAMES[1]}.gone", "0000000c.gone"):
        assert pair[1].post(path, json={"run": gone}).status_code == 404
