"""What the server has lost stands on every page, as text, and goes when it is back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crewed import Shared
from flask import Flask

from app.runner import Runner
from app.web import Config, condition, create_app

PAGES = ("/", "/play", "/lessons", "/class", "/compare")


@pytest.fixture
def app(
    tmp_path: Path, sandbox: Runner, own_postgresql: Any, own_redis: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Flask]:
    monkeypatch.setattr(condition, "EVERY", 0.1)
    config = Config(record_examples=False, database_url=own_postgresql.url(), redis_url=own_redis.url)
    made = create_app(config, runner=Shared(sandbox))
    yield made
    made.extensions["stepgraph"].close()


def strip_of(page: str) -> tuple[bool, str]:
    """Whether it is seen, and what it says."""
    found = re.search(r'<p class="away" id="away" role="status"( hidden)?>([^<]*)</p>', page)
    assert found
    return not found[1], found[2]


def test_redis_and_postgresql_go_and_come_back(
    app: Flask, own_postgresql: Any, own_redis: Any, until: Callable[..., None]
) -> None:
    client = app.test_client()
    kept = client.post("/api/links", json={"source": "print(1)\n"}).get_json()

    def said() -> str:
        text: str = client.get("/api/condition").get_json()["text"]
        return text

    until(lambda: said() == "")
    assert strip_of(client.get("/play").text) == (False, "")
    own_redis.stop()
    until(lambda: "lost touch with its other machines" in said())
    own_postgresql.stop()
    until(lambda: "lost its store" in said())
    for path in PAGES:
        answer = client.get(path)
        assert (answer.status_code, strip_of(answer.text)) == (200, (True, said())), path
    run = client.post("/api/runs", json={"source": "print(1)\n", "wait": True})
    assert (run.status_code, run.get_json()["stdout"]) == (200, "1\n")
    ready = client.get("/readyz")
    assert (ready.status_code, ready.get_json()["status"]) == (200, "degraded")
    assert client.post("/api/links", json={"source": "print(2)\n"}).status_code == 503
    own_postgresql.start()
    own_redis.start()
    until(lambda: said() == "")
    assert client.get("/readyz").get_json()["status"] == "ok"
    assert client.get(f"/api/links/{kept['id']}").status_code == 200, "nothing stored is lost"


def test_a_server_that_leans_on_nothing_has_no_strip(sandbox: Runner) -> None:
    app = create_app(Config(record_examples=False), runner=Shared(sandbox))
    assert 'id="away"' not in app.test_client().get("/play").text
    assert app.test_client().get("/api/condition").get_json() == {"text": ""}
    app.extensions["stepgraph"].close()
