"""What those who run the server need: readiness, metrics, logs; and several processes with real servers behind them."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from served import Servers, start

from app.bus import BusError
from app.store import UnavailableError
from app.web import Config, ConfigError

SOURCE = {"source": "print('hello')\n", "name": "main.py"}


def parts(set_up: dict[str, str], **told: str) -> dict[str, str]:
    """What /readyz says of the parts; that no worker is there only where some could be."""
    return {"runner": "ok"} | told | ({"workers": "0"} if set_up["redis_url"] else {})


def test_ready(client: FlaskClient, set_up: dict[str, str]) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json == {"status": "ok", "parts": parts(set_up, store="ok", bus="ok")}


def test_without_store_and_bus_it_is_ready_and_says_what_is_away(
    make: Callable[..., Flask], set_up: dict[str, str], monkeypatch: Any
) -> None:
    app = make()
    services = app.extensions["stepgraph"]

    def away(error: Exception) -> Callable[[], None]:
        def check() -> None:
            raise error

        return check

    monkeypatch.setattr(services.database, "check", away(UnavailableError("gone")))
    monkeypatch.setattr(services.bus, "check", away(BusError("gone")))
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 200
    assert answer.json == {"status": "degraded", "parts": parts(set_up, store="away", bus="away")}


def test_a_server_that_closes_is_not_ready(make: Callable[..., Flask]) -> None:
    app = make()
    app.extensions["stepgraph"].closing.set()
    assert app.test_client().get("/readyz").status_code == 503


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.1"}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.1", "Authorization": "Bearer secret"}, 200),
        ("127.0.0.1", {"Host": "class.example.org"}, 403),
        ("192.0.2.1", {}, 403),
        ("192.0.2.1", {"Authorization": "Bearer other"}, 403),
        ("192.0.2.1", {"Authorization": "Bearer secret"}, 200),
    ],
)
def test_who_may_read_metrics(make: Callable[..., Flask], address: str, headers: dict[str, str], status: int) -> None:
    client = make(metrics_token="secret", hosts=("class.example.org",)).test_client()
    answer = client.get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == status


def test_without_a_token_none_is_right(client: FlaskClient) -> None:
    answer = client.get("/metrics", headers={"Authorization": "Bearer "}, environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert answer.status_code == 403


def test_what_is_counted(make: Callable[..., Flask], runner: Any) -> None:
    runner.instant = True
    client = make().test_client()
    assert client.post("/api/runs", json={**SOURCE, "wait": True}).status_code == 200
    client.get("/anything/at/all")
    lines = client.get("/metrics").text.splitlines()
    for expected in (
        'stepgraph_requests_total{method="POST",route="/api/runs",status="200"} 1.0',
        'stepgraph_requests_total{method="GET",route="none",status="404"} 1.0',
        'stepgraph_runs_total{state="taken"} 1.0',
    ):
        assert expected in lines


def test_the_word_of_as_many_proxies_as_there_are_is_taken(make: Callable[..., Flask]) -> None:
    told = {"X-Forwarded-For": "192.0.2.9, 127.0.0.1", "X-Forwarded-Proto": "https"}
    for proxies, base in ((0, "http://localhost"), (1, "https://localhost")):
        client = make(proxies=proxies).test_client()
        runner_links = client.get("/play?example=x", headers=told).text
        assert f"{base}/oembed" in runner_links


@pytest.mark.parametrize("name", ["STEPGRAPH_PROXIES", "STEPGRAPH_STREAMS"])
def test_a_setting_that_is_no_number(name: str) -> None:
    with pytest.raises(ConfigError, match=f"{name}='many'"):
        Config().from_environment({name: "many"})


def test_several_processes_need_a_bus() -> None:
    process = start("--processes", "2", REDIS_URL="")
    output, _ = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "REDIS_URL" in output


@pytest.fixture(scope="module")
def servers(
    tmp_path_factory: pytest.TempPathFactory, new_postgresql_url: Callable[[], str], redis_url: str
) -> Iterator[Servers]:
    found = Servers(tmp_path_factory.mktemp("processes"), new_postgresql_url(), redis_url)
    yield found
    if found.process.poll() is None:
        found.end()


def _open(servers: Servers) -> tuple[str, dict[str, str]]:
    status, _, opened = servers.ask("POST", "/api/classes", SOURCE)
    assert status == 201, opened
    return f"/api/classes/{opened['code']}", {"X_Class_Key": opened["key"]}


def _place(step: int) -> dict[str, Any]:
    return {"kind": "place", "data": {"program": 1, "step": step, "node": -1, "view": None, "pane": None}}


def _until_place(events: Iterator[tuple[str, Any]], step: int) -> None:
    assert any(name == "place" and data and data["step"] == step for name, data in events)


@pytest.mark.slow
def test_either_process_answers_for_every_run(servers: Servers) -> None:
    owners = set()
    for _ in range(12):
        status, _, run = servers.ask("POST", "/api/runs", SOURCE)
        assert status == 202, run
        owners.add(run["id"].partition(".")[0])
        with servers.follow(run["links"]["events"]) as events:
            assert [name for name, _ in events][-1] == "done"
        status, _, trace = servers.ask("GET", run["links"]["trace"])
        assert (status, trace["stdout"]) == (200, "hello\n")
    assert len(owners) == 2, "twelve connections, and one process got them all"
    assert servers.ask("GET", "/api/runs/00000000.abc")[0] == 404


@pytest.mark.slow
def test_a_class_is_followed_across_processes(servers: Servers) -> None:
    path, key = _open(servers)
    with contextlib.ExitStack() as stack:
        streams = []
        for _ in range(8):
            _, headers, _ = servers.ask("POST", f"{path}/members", {"name": "Ada"})
            cookie = headers["set-cookie"].partition(";")[0]
            streams.append(stack.enter_context(servers.follow(f"{path}/events", Cookie=cookie)))
        for step in (1, 2, 3):
            assert servers.ask("POST", f"{path}/events", _place(step), **key)[0] == 200
            for stream in streams:
                _until_place(stream, step)
    counted = servers.ask("GET", "/metrics")[2].decode()
    assert re.search(r'requests_total\{method="POST",route="/api/classes/<code>/events",status="200"\} 3\.0', counted)


@pytest.mark.slow
def test_without_redis_a_class_goes_on_slower(
    tmp_path: Path, new_postgresql_url: Callable[[], str], own_redis: Any
) -> None:
    servers = Servers(tmp_path, new_postgresql_url(), own_redis.url)
    try:
        path, key = _open(servers)
        with servers.follow(f"{path}/events?as=projector") as events:
            own_redis.stop()
            assert servers.ask("GET", "/readyz")[2]["parts"]["bus"] == "away"
            assert servers.ask("POST", f"{path}/events", _place(1), **key)[0] == 200
            _until_place(events, 1)
            assert servers.ask("POST", "/api/runs", {**SOURCE, "wait": True})[0] == 200
            own_redis.start()
            assert servers.ask("GET", "/readyz")[2]["status"] == "ok"
            assert servers.ask("POST", f"{path}/events", _place(2), **key)[0] == 200
            _until_place(events, 2)
    finally:
        output = servers.end()
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    assert any("Redis cannot be reached" in line["message"] for line in lines)


@pytest.mark.slow
def test_processes_are_replaced_under_a_class(servers: Servers) -> None:
    path, key = _open(servers)
    with servers.follow(f"{path}/events?as=projector") as events:
        servers.process.send_signal(signal.SIGHUP)
        assert len(list(events)) > 0, "the stream ends; it does not break"
    # A connection that an old process has just taken may be cut: a page would send again too.
    for attempt in range(5):
        try:
            assert servers.ask("POST", f"{path}/events", _place(7), **key)[0] == 200
            break
        except ConnectionError:
            assert attempt < 4
    with servers.follow(f"{path}/events?as=projector") as events:
        _until_place(events, 7)


@pytest.mark.slow
def test_sigterm_ends_streams_and_processes(servers: Servers) -> None:
    """The last one: the servers are gone."""
    path, _ = _open(servers)
    with servers.follow(f"{path}/events?as=projector") as events:
        begun = time.monotonic()
        servers.end()
        list(events)
        assert time.monotonic() - begun < 15
    assert servers.process.returncode == 0
