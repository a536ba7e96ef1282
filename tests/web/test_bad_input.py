"""Everything that can be wrong with a POST, and that the answer says what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

JSON = "application/json"

BAD = [
    # body, content type, status, a piece of the message
    (b'{"source": "x"}', None, 415, "not declared as JSON"),
    (b'{"source": "x"}', "text/plain", 415, "not declared as JSON"),
    (b"source=x", "application/x-www-form-urlencoded", 415, "not declared as JSON"),
    (b'{"source": "x"}', "multipart/form-data; boundary=b", 415, "not declared as JSON"),
    (b"", JSON, 400, "no body"),
    (b"{", JSON, 400, "not valid JSON"),
    (b"source", JSON, 400, "line 1"),
    (b'{"source": "\xff"}', JSON, 400, "not UTF-8"),
    (b"[" * 150_000, JSON, 400, "not valid JSON"),
    (b'{"source": "x", "seconds": ' + b"9" * 5000 + b"}", JSON, 400, "not valid JSON"),
    (b"null", JSON, 422, "not a JSON object"),
    (b'"x"', JSON, 422, "not a JSON object"),
    (b"[]", JSON, 422, "not a JSON object"),
    (b"{}", JSON, 422, '"source" is missing'),
    (b'{"source": null}', JSON, 422, '"source" must be text'),
    (b'{"source": 1}', JSON, 422, '"source" must be text'),
    (b'{"source": ["x"]}', JSON, 422, '"source" must be text'),
    (b'{"source": "a\\n\\u0000"}', JSON, 422, "NUL character in line 2"),
    (b'{"source": "\\n\\ud800"}', JSON, 422, "lone surrogate) in line 2"),
    (b'{"source": "x", "wait": "yes"}', JSON, 422, '"wait" must be true or false'),
    (b'{"source": "x", "wait": 1}', JSON, 422, '"wait" must be true or false'),
    (b'{"source": "x", "seconds": true}', JSON, 422, '"seconds" must be a number'),
    (b'{"source": "x", "seconds": "5"}', JSON, 422, '"seconds" must be a number'),
    (b'{"source": "x", "seconds": 0}', JSON, 422, '"seconds" must be a number'),
    (b'{"source": "x", "seconds": -1}', JSON, 422, '"seconds" must be a number'),
    (b'{"source": "x", "seconds": 1e9}', JSON, 422, '"seconds" must be a number'),
    (b'{"source": "x", "seconds": 1e999}', JSON, 422, '"seconds" must be a number'),
    (b'{"source": "x", "seconds": NaN}', JSON, 422, '"seconds" must be a number'),
    (b'{"source": "x", "name": 3}', JSON, 422, '"name" must be a file name'),
    (b'{"source": "x", "name": ""}', JSON, 422, '"name" must be a file name'),
    (b'{"source": "x", "name": "../../etc/passwd"}', JSON, 422, '"name" must be a file name'),
    (b'{"source": "x", "name": "a\\u0000b"}', JSON, 422, '"name" must be a file name'),
    (b'{"source": "x", "name": "\\udc80"}', JSON, 422, '"name" must be a file name'),
    (b'{"source": "x", "stdin": 3}', JSON, 422, '"stdin" must be text'),
    (b'{"source": "x", "stdin": "\\ud800"}', JSON, 422, "lone surrogate"),
    (b'{"source": "x", "sauce": "y"}', JSON, 422, 'Unknown key "sauce"'),
    (json.dumps({"source": "#" * 100_001}).encode(), JSON, 413, "100,001 bytes"),
    (json.dumps({"source": "é" * 50_001}).encode(), JSON, 413, "100,002 bytes"),
    (json.dumps({"source": "x", "stdin": "y" * 100_001}).encode(), JSON, 413, "100,001 bytes"),
    (b" " * 30_000_000, JSON, 413, ""),
]


@pytest.mark.parametrize(("body", "kind", "status", "piece"), BAD)
def test_bad_input_gets_an_error_that_says_what_to_do(
    client: FlaskClient, runner: Any, body: bytes, kind: str | None, status: int, piece: str
) -> None:
    response = client.post("/api/runs", data=body, content_type=kind)
    assert response.status_code == status, response.text
    error = response.get_json()["error"]
    assert piece in error["message"]
    assert error["hint"]
    assert runner.runs == []


GOOD = [
    {"source": ""},
    {"source": "#" * 100_000},
    {"source": "é" * 50_000},
    {"source": "\x01" * 100_000},
    {"source": "print('\U0001f600')"},
    {"source": "x", "name": None, "stdin": None, "seconds": None},
    {"source": "x", "name": "Übung 3.py", "seconds": 0.1, "stdin": "\x01" * 100_000},
]


@pytest.mark.parametrize("body", GOOD)
def test_what_is_just_allowed_is_taken_unchanged(client: FlaskClient, runner: Any, body: dict[str, Any]) -> None:
    response = client.post("/api/runs", data=json.dumps(body), content_type="application/json; charset=utf-8")
    assert response.status_code == 202, response.text
    assert runner.runs[0].request.source == body["source"]
    assert runner.runs[0].request.stdin == body.get("stdin")
    assert runner.runs[0].request.name == (body.get("name") or "main.py")


def test_a_bad_request_costs_the_session_nothing(make: Callable[..., Flask], runner: Any) -> None:
    client = make(session_runs=1).test_client()
    for _ in range(5):
        assert client.post("/api/runs", json={"source": 1}).status_code == 422
    assert client.post("/api/runs", json={"source": "x"}).status_code == 202
