"""The server as a process: starts, holds streams, answers, ends without a trace of its children."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from served import ROOT, Server

STREAMS = 300
SLEEPER = "import time\nwhile True:\n    time.sleep(0.05)\n"
"""Ends only by its deadline: it makes few events."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends the server by signals")


def test_it_says_where_it_is_and_what_isolates(server: Server) -> None:
    assert re.match(r"Stepgraph is at http://127\.0\.0\.1:\d+/", server.first_line)
    assert server.second_line.startswith(("Isolated: ", "Not isolated: "))


def test_a_program_is_run_and_recorded(server: Server) -> None:
    status, headers, data = server.request(
        "POST", "/api/runs", {"source": "for i in range(3):\n    print('zeile', i, 'ü')\n", "wait": True}
    )
    assert status == 200, data
    assert headers["server"] == "stepgraph"
    trace = json.loads(data)
    assert trace["stdout"] == "zeile 0 ü\nzeile 1 ü\nzeile 2 ü\n"
    assert trace["end"]["kind"] == "ok"
    assert trace["layout"]["version"] == 1


def test_an_error_of_the_program_is_a_trace(server: Server) -> None:
    status, _, data = server.request("POST", "/api/runs", {"source": "x = 1\nx.y\n", "name": "mine.py", "wait": True})
    assert status == 200
    error = json.loads(data)["end"]["error"]
    assert (error["type"], error["line"]) == ("AttributeError", 2)
    assert 'File "mine.py", line 2' in error["traceback"]
    assert str(ROOT) not in error["traceback"]


def test_a_program_that_never_ends_is_ended(server: Server) -> None:
    started = time.monotonic()
    status, _, data = server.request("POST", "/api/runs", {"source": SLEEPER, "seconds": 0.5, "wait": True})
    assert status == 200
    end = json.loads(data)["end"]
    assert (end["kind"], end["limit"]) == ("limit", "time")
    assert end["line"] in (2, 3)
    assert time.monotonic() - started < 8


def test_output_is_streamed_while_the_program_runs(server: Server) -> None:
    source = "import time\nprint('one')\ntime.sleep(1.2)\nprint('two')\n"
    _, _, data = server.request("POST", "/api/runs", {"source": source})
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", json.loads(data)["links"]["events"])
    response = connection.getresponse()
    came: list[tuple[float, str]] = []
    text = ""
    while piece := response.read1(65536):
        came.append((time.monotonic(), piece.decode()))
        text += piece.decode()
    when = {word: next(at for at, piece in came if word in piece) for word in ("one", "two", "event: done")}
    assert when["two"] - when["one"] > 0.5
    assert re.findall(r'"text": "([^"]*)"', text) == ["one\\n", "two\\n"]


def test_a_request_too_large_for_any_program_is_refused(server: Server) -> None:
    status, _, data = server.request("POST", "/api/runs", {"source": "#" * 3_000_000})
    assert status == 413
    assert json.loads(data)["error"]["hint"]


def test_examples_are_there_soon(server: Server) -> None:
    _, _, data = server.request("GET", "/api/examples")
    first = json.loads(data)["examples"][0]
    status, headers, packed = server.request("GET", first["links"]["trace"], Accept_Encoding="gzip")
    assert status == 200, packed
    assert headers["content-encoding"] == "gzip"


def test_300_streams_stay_open_while_runs_are_answered(server: Server) -> None:
    status, _, data = server.request("POST", "/api/runs", {"source": SLEEPER, "seconds": 25})
    assert status == 202
    links = json.loads(data)["links"]
    sockets = []
    try:
        for _ in range(STREAMS):
            stream = socket.create_connection(("127.0.0.1", server.port), 10)
            stream.sendall(f"GET {links['events']} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            sockets.append(stream)
        for stream in sockets:
            stream.settimeout(10)
            text = b""
            while b"event: " not in text:
                piece = stream.recv(4096)
                assert piece, text
                text += piece
            assert b" 200 OK" in text
        started = time.monotonic()
        status, _, data = server.request("POST", "/api/runs", {"source": "print(2)", "wait": True})
        assert (status, json.loads(data)["stdout"]) == (200, "2\n")
        assert time.monotonic() - started < 5
        assert server.request("DELETE", links["trace"])[0] == 204
        for stream in sockets:
            text = b""
            while b"event: cancelled" not in text:
                piece = stream.recv(4096)
                assert piece, text
                text += piece
    finally:
        for stream in sockets:
            stream.close()


def test_a_taken_port_gets_a_clear_message(server: Server) -> None:
    for arguments, environ in (
        (["--port", str(server.port)], {}),
        ([], {"PORT": str(server.port)}),
    ):
        second = subprocess.run(
            [sys.executable, str(ROOT / "stepgraph.py"), "serve", *arguments],
            capture_output=True,
            text=True,
            timeout=30,
            env={**os.environ, **environ},
        )
        assert second.returncode == 2
        assert second.stdout == ""
        assert f"port {server.port} is taken: PORT={server.port + 1} make run" in second.stderr
        assert "Traceback" not in second.stderr


@pytest.mark.parametrize(
    ("arguments", "environ", "piece"),
    [
        (["--port", "seven"], {}, "'seven' is no port"),
        ([], {"PORT": "70000"}, "'70000' is no port"),
        (["--host", "no.such.host.invalid"], {}, "no address 'no.such.host.invalid'"),
        ([], {"HOST": "203.0.113.1"}, "cannot listen on 203.0.113.1"),
    ],
)
def test_a_wrong_address_gets_a_clear_message(arguments: list[str], environ: dict[str, str], piece: str) -> None:
    refused = subprocess.run(
        [sys.executable, str(ROOT / "stepgraph.py"), "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        env={**os.environ, **environ},
    )
    assert refused.returncode == 2
    assert piece in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="counts processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_with_open_streams_and_leaves_no_process(request: pytest.FixtureRequest, number: int) -> None:
    server = Server()
    _, _, data = server.request("POST", "/api/runs", {"source": SLEEPER, "seconds": 25})
    streams = contextlib.ExitStack()
    request.addfinalizer(streams.close)
    for _ in range(5):
        stream = streams.enter_context(socket.create_connection(("127.0.0.1", server.port), 10))
        stream.sendall(f"GET {json.loads(data)['links']['events']} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert stream.recv(100)
    children = server.children()
    assert children
    started = time.monotonic()
    status, rest = server.end(number)
    assert status == 0, rest
    assert time.monotonic() - started < 10
    assert "Traceback" not in rest
    assert rest.endswith("Stepgraph has ended.\n")
    left = {child: alive(child) for child in sorted(children) if alive(child)}
    assert left == {}


def alive(child: int) -> str:
    """The command line of a process; empty for one that has ended, whether or not anybody has taken note of it."""
    try:
        state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        return "" if state == "Z" else Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")[:300] or "unnamed"
    except OSError:
        return ""
