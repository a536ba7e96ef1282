"""What the server does about clients and machines at their worst."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from served import Server

from app.web import Config
from app.web.patience import Patience
from app.web.server import _waitress, listen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends the server by signals")
DAY = 86_400.0


def answers(server: Server) -> None:
    """A run is answered as ever, and soon."""
    begun = time.monotonic()
    status, _, data = server.request("POST", "/api/runs", {"source": "print(2)", "wait": True})
    assert (status, json.loads(data)["stdout"]) == (200, "2\n")
    assert time.monotonic() - begun < 20


def _bad_requests(number: int) -> Iterator[bytes]:
    """Requests that are wrong in every way that there is, the same ones each time."""
    chance = random.Random(number)
    heads = [
        b"GET /",
        b"POST /api/runs",
        b"DELETE /api/runs/",
        b"PUT /api/examples",
        b"BREW /",
        b"GET /static/../../etc/",
    ]
    for _ in range(number):
        noise = chance.randbytes(chance.randrange(60))
        body = chance.choice([noise, b"[" * 5000, b'{"source": ' + noise, b'{"source": 1, "wait": true}', b""])
        length = chance.choice([len(body), -1, 10**12, 3])
        yield chance.choice(
            [
                noise + b"\r\n\r\n",
                b"%s%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (chance.choice(heads), noise.hex().encode()),
                b"%s HTTP/1.1\r\nHost: %s\r\n\r\n" % (chance.choice(heads), noise),
                b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%s" % (length, body),
                b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + noise,
                b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: stepgraph_session=%s\r\n\r\n" % noise.hex().encode(),
            ]
        )


@pytest.mark.parametrize("number", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_bad_requests(server: Server, number: int) -> None:
    statuses = set()
    for request in _bad_requests(number):
        with socket.create_connection(("127.0.0.1", server.port), 20) as connection, contextlib.suppress(OSError):
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            first = connection.recv(100)
            statuses.add(first[9:12])
    assert statuses <= {
        b"",
        b"200",
        b"308",
        b"400",
        b"403",
        b"404",
        b"405",
        b"413",
        b"415",
        b"422",
        b"431",
        b"429",
        b"501",
    }
    assert {b"400", b"404"} <= statuses
    answers(server)


def test_clients_that_never_finish_asking(server: Server) -> None:
    with contextlib.ExitStack() as held:
        for _ in range(200):
            slow = held.enter_context(socket.create_connection(("127.0.0.1", server.port), 10))
            slow.sendall(b"GET / HTTP/1.1\r\nHost: local")
        answers(server)
        slow.sendall(b"h")
        answers(server)


@dataclass(eq=False)
class Asking:
    """As much of waitress's connections, and of its requests, as matters here."""

    request: Any = None
    headers_finished: bool = False
    will_close: bool = False


def test_a_request_that_drips_in_is_cut_off_in_time() -> None:
    now = [0.0]
    patience = Patience(20, clock=lambda: now[0])
    idle, head, body = Asking(), Asking(Asking()), Asking(Asking(headers_finished=True))
    for at, late in ((0.0, []), (20.0, []), (20.1, [head]), (299.0, [head]), (301.0, [head, body])):
        now[0] = at
        patience.look((idle, head, body))
        assert [one for one in (idle, head, body) if one.will_close] == late


@pytest.mark.slow
def test_a_real_connection_is_cut_off(make: Callable[..., Flask]) -> None:
    config = Config(port=0, header_seconds=0.5, streams=1, waiters=1)
    with contextlib.closing(listen(config)) as bound:
        server = _waitress(make(), bound, config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        with socket.create_connection(bound.getsockname(), 10) as slow:
            for _ in range(30):
                try:
                    slow.sendall(b"G")
                    slow.settimeout(0.2)
                    assert slow.recv(10) == b""
                    break
                except TimeoutError:
                    continue
                except OSError:
                    break
            else:
                pytest.fail("it was never cut off")
        server.close()
        thread.join(10)


@pytest.mark.slow
def test_without_descriptors_for_more_connections() -> None:
    if shutil.which("prlimit") is None:
        pytest.skip("prlimit is not installed")
    server = Server("prlimit", "--nofile=100:100")
    try:
        with contextlib.ExitStack() as held:
            for _ in range(150):
                held.enter_context(socket.create_connection(("127.0.0.1", server.port), 10))
            late = held.enter_context(socket.create_connection(("127.0.0.1", server.port), 1))
            late.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            with contextlib.suppress(TimeoutError):
                assert late.recv(100) == b"", "it waits in the system's queue, or is turned away"
        answers(server)
    finally:
        status, words = server.end()
    assert status == 0, words
    assert "Traceback" not in words


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_the_clock_may_jump(
    client: FlaskClient, runner: Any, until: Any, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    client.get("/")
    before = client.post("/api/runs", json={"source": "x"}).get_json()["links"]["trace"]
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + jump)
    assert client.get(before).status_code == 202
    runner.runs[0].become("done")
    until(lambda: client.get(before).status_code == 200)
    client.get("/")
    after = client.post("/api/runs", json={"source": "y"}).get_json()["links"]["trace"]
    runner.runs[1].become("done")
    until(lambda: client.get(after).status_code == 200)
    assert client.get(before).status_code == 200


def test_a_run_whose_client_has_gone_is_stopped(make: Callable[..., Flask], runner: Any, until: Any) -> None:
    client = make(alone_seconds=0.05).test_client()
    client.get("/")
    links = client.post("/api/runs", json={"source": "x"}).get_json()["links"]
    runner.runs[0].become("running", line=1)
    stream = client.get(links["events"], buffered=False)
    assert b"retry" in next(stream.iter_encoded())
    stream.close()
    until(lambda: runner.runs[0].state == "cancelled")


def test_a_run_that_somebody_else_follows_goes_on(make: Callable[..., Flask], runner: Any) -> None:
    app = make(alone_seconds=0.05)
    client = app.test_client()
    client.get("/")
    links = client.post("/api/runs", json={"source": "x"}).get_json()["links"]
    runner.runs[0].become("running", line=1)
    streams = [client.get(links["events"], buffered=False) for _ in range(2)]
    for stream in streams:
        next(stream.iter_encoded())
    streams[0].close()
    assert not runner.runs[0].wait(0.2)
    assert runner.runs[0].state == "running"
    runner.runs[0].become("done")
    streams[1].close()


def test_a_browser_that_comes_back_still_finds_its_run(make: Callable[..., Flask], runner: Any, until: Any) -> None:
    client = make(alone_seconds=5).test_client()
    client.get("/")
    links = client.post("/api/runs", json={"source": "x"}).get_json()["links"]
    stream = client.get(links["events"], buffered=False)
    next(stream.iter_encoded())
    stream.close()
    runner.runs[0].become("done")
    until(lambda: client.get(links["trace"]).status_code == 200)


def test_too_many_requests(make: Callable[..., Flask]) -> None:
    app = make(session_requests_a_minute=20, address_requests_a_minute=30)
    client = app.test_client()
    client.get("/")  # as somebody without a session
    assert [client.get("/healthz").status_code for _ in range(20)] == [200] * 20
    refused = client.get("/healthz")
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 4
    other = app.test_client()
    other.get("/")
    assert other.get("/healthz").status_code == 200
    bare = [app.test_client(use_cookies=False).get("/healthz").status_code for _ in range(40)]
    assert bare == [200] * 28 + [429] * 12
