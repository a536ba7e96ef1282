"""Files handed in with a program: they lie beside it; what cannot be taken says why."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from flask.testing import FlaskClient


def posted(client: FlaskClient, files: Any, source: str = "print(open('a.txt').read())") -> Any:
    return client.post("/api/runs", json={"source": source, "files": files})


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_files_reach_the_run(client: FlaskClient, runner: Any) -> None:
    files = [{"name": "a.txt", "data": encoded(b"there")}, {"name": "helper.py", "data": encoded(b"x = 1")}]
    answer = client.post("/api/runs", json={"source": "import helper", "files": files})
    assert answer.status_code == 202
    assert runner.runs[-1].request.files == (("a.txt", b"there"), ("helper.py", b"x = 1"))


@pytest.mark.parametrize(
    ("files", "status", "words"),
    [
        ("a.txt", 422, "must be a list"),
        ([{"name": "a.txt"}], 422, 'has the keys "name" and "data"'),
        ([{"name": "../a.txt", "data": ""}], 422, "without a folder"),
        ([{"name": "..", "data": ""}], 422, "without a folder"),
        ([{"name": "a.txt", "data": "?"}], 422, "not base64"),
        ([{"name": "main.py", "data": ""}], 422, "Two files are called"),
        ([{"name": "a.txt", "data": ""}, {"name": "a.txt", "data": ""}], 422, "Two files are called"),
        ([{"name": "a.txt", "data": encoded(bytes((4 << 20) + 1))}], 413, "hold more than"),
    ],
)
def test_what_cannot_be_taken_says_why(client: FlaskClient, files: Any, status: int, words: str) -> None:
    answer = posted(client, files)
    assert answer.status_code == status
    assert words in answer.json["error"]["message"]
