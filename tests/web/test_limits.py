"""Limits count by browser session, without one by address; what is kept is bounded."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from app.documents import Document
from app.web.sessions import SessionLimits
from app.web.store import Record, RunStore

NUMBERS = itertools.count()


def post(client: Any) -> Any:
    """Hand in a program that nobody has handed in before."""
    return client.post("/api/runs", json={"source": f"x = {next(NUMBERS)}"})


def browser(app: Flask) -> FlaskClient:
    """A client that has loaded the page, and so has a session of its own."""
    client = app.test_client()
    client.get("/")
    return client


def test_a_session_may_have_three_runs_open(make: Callable[..., Flask], runner: Any, until: Any) -> None:
    client = browser(make())
    first = post(client).get_json()["links"]["trace"]
    assert [post(client).status_code for _ in range(2)] == [202, 202]
    refused = post(client)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) >= 1
    assert "3 programs waiting or running" in refused.get_json()["error"]["message"]
    assert len(runner.runs) == 3
    assert len({run.request.owner for run in runner.runs}) == 1
    client.delete(first)
    until(lambda: client.get(first).status_code == 410)
    until(lambda: post(client).status_code == 202)


def test_thirty_a_minute(make: Callable[..., Flask], runner: Any) -> None:
    runner.instant = True
    client = browser(make())
    for _ in range(30):
        assert client.post("/api/runs", json={"source": "x", "wait": True}).status_code == 200
    refused = post(client)
    assert refused.status_code == 429
    assert 50 <= int(refused.headers["Retry-After"]) <= 60


def test_a_classroom_behind_one_address_is_many_sessions(make: Callable[..., Flask], runner: Any) -> None:
    app = make()
    for _ in range(60):
        student = browser(app)
        assert (post(student).status_code, post(student).status_code) == (202, 202)
    assert len(runner.runs) == 120


def test_clients_without_a_cookie_share_what_their_address_may(make: Callable[..., Flask], runner: Any) -> None:
    app = make(address_runs=3)

    def flood(address: str) -> Any:
        return app.test_client().post("/api/runs", json={"source": "x"}, environ_base={"REMOTE_ADDR": address})

    assert [flood("192.0.2.1").status_code for _ in range(4)] == [202, 202, 202, 429]
    refused = flood("192.0.2.1")
    assert int(refused.headers["Retry-After"]) >= 1
    assert "at your address already have 3 programs" in refused.get_json()["error"]["message"]
    assert "GET /" in refused.get_json()["error"]["hint"]
    assert flood("192.0.2.2").status_code == 202
    assert [flood(f"2001:db8::{n}").status_code for n in range(1, 5)] == [202, 202, 202, 429]
    assert post(browser(app)).status_code == 202, "a browser has a share of its own"
    runner.runs[0].become("done")


def test_what_an_address_may_comes_back(make: Callable[..., Flask], runner: Any, until: Any) -> None:
    app = make(address_runs=1)
    assert [post(app.test_client()).status_code for _ in range(2)] == [202, 429]
    runner.runs[0].become("done")
    until(lambda: post(app.test_client()).status_code == 202)


def test_the_cookie_is_signed_and_kept_from_scripts(make: Callable[..., Flask]) -> None:
    app = make()
    client = app.test_client()
    cookie = post(client).headers["Set-Cookie"]
    assert cookie.startswith("stepgraph_session=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    forger = app.test_client()
    forger.set_cookie("stepgraph_session", "eyJpZCI6ImFkYSJ9.forged.signature")
    assert "Set-Cookie" in post(forger).headers


def test_a_full_server_says_so(make: Callable[..., Flask]) -> None:
    app = make(queue=3)
    assert [post(app.test_client()).status_code for _ in range(4)] == [202, 202, 202, 503]
    full = post(app.test_client())
    assert full.headers["Retry-After"] == "5"
    assert full.get_json()["error"] == {"message": "The server is full.", "hint": "Try again in a few seconds."}


def test_streams_and_waiters_have_places(make: Callable[..., Flask]) -> None:
    app = make(streams=1, waiters=0)
    client = app.test_client()
    body = post(client).get_json()
    with client.get(body["links"]["events"], buffered=False) as stream:
        assert stream.status_code == 200
        assert client.get(body["links"]["events"]).status_code == 503
    client.delete(body["links"]["trace"])
    assert client.get(body["links"]["events"]).status_code == 200
    waited = client.post("/api/runs", json={"source": "x", "wait": True})
    assert waited.status_code == 503
    assert "wait" in waited.get_json()["error"]["hint"]


def test_session_limits_forget_idle_sessions() -> None:
    now = 0.0
    limits = SessionLimits(1, 2, clock=lambda: now)
    for number in range(1000):
        assert limits.start(f"s{number}") is None
        limits.end(f"s{number}")
    assert limits.start("s0") is None
    limits.end("s0")
    refusal = limits.start("s0")
    assert refusal is not None
    assert refusal.retry_after == 60
    now = 61.0
    assert limits.start("s0") is None
    assert len(limits._open) == len(limits._started._taken) == 1


def finished(store: RunStore, size: int) -> Record:
    record = Record("ada", run=None)  # type: ignore[arg-type]
    store.add(record)
    record.finish("done", document=Document(b"x" * size, size, "tag", "ok"))
    store.trim()
    return record


def kept(store: RunStore, records: list[Record]) -> list[bool]:
    return [store.get(record.id) is record for record in records]


def test_the_store_is_bounded_in_number_bytes_and_age() -> None:
    now = 0.0
    few = RunStore(2, 1000, 60, clock=lambda: now)
    assert kept(few, [finished(few, 1) for _ in range(3)]) == [False, True, True]
    small = RunStore(9, 1000, 60, clock=lambda: now)
    assert kept(small, [finished(small, 400) for _ in range(4)]) == [False, False, True, True]
    short = RunStore(9, 1000, 60, clock=lambda: now)
    old = finished(short, 1)
    now = 50.0
    new = finished(short, 1)
    now = 61.0
    assert kept(short, [old, new]) == [False, True]


def test_the_store_never_forgets_what_is_not_finished() -> None:
    store = RunStore(1, 10, 60)
    open_runs = [Record("ada", run=None) for _ in range(5)]  # type: ignore[arg-type]
    for record in open_runs:
        store.add(record)
    assert kept(store, open_runs) == [True] * 5
    assert store.unfinished() == 5
