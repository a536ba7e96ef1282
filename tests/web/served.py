"""The server as a process, for the tests of this folder."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def worker(redis_url: str) -> Iterator[None]:
    """``stepgraph worker``, once it takes runs."""
    command = [sys.executable, str(ROOT / "stepgraph.py"), "worker"]
    process = subprocess.Popen(command, env={**os.environ, "REDIS_URL": redis_url}, stdout=subprocess.PIPE, cwd="/")
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"Worker ")
    yield
    process.terminate()
    process.communicate(timeout=60)


class Server:
    """``stepgraph serve`` on a port that was free, started by the command ``before`` (``prlimit``, say)."""

    def __init__(self, *before: str, **environ: str) -> None:
        self.process = subprocess.Popen(
            [*before, sys.executable, str(ROOT / "stepgraph.py"), "serve", "--port", environ.pop("PORT", "0")],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **environ},
            cwd="/",
        )
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], 90)
        self.first_line = self.process.stdout.readline() if ready else ""
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self.first_line)
        if not found:
            self.process.terminate()
            pytest.fail(f"no address: {self.first_line}{self.process.communicate(timeout=20)[0]}")
        self.port = int(found[1])
        self.second_line = self.process.stdout.readline()

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=40)
        sent = {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, {k.lower(): v for k, v in response.getheaders()}, data

    def children(self) -> set[int]:
        """Every process below the server's."""
        parents: dict[int, list[int]] = {}
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(status.parent.name))
        found: set[int] = set()
        todo = [self.process.pid]
        while todo:
            below = parents.get(todo.pop(), [])
            found.update(below)
            todo.extend(below)
        return found

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=20)
        return self.process.returncode, rest


def start(*options: str, **environ: str) -> subprocess.Popen[str]:
    """``stepgraph serve`` as a process."""
    command = [sys.executable, str(ROOT / "stepgraph.py"), "serve", *options]
    return subprocess.Popen(
        command, env={**os.environ, **environ}, cwd="/", text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


class Servers:
    """Two processes under gunicorn, with PostgreSQL and Redis."""

    def __init__(self, folder: Path, database: str, bus: str) -> None:
        self.port = free_port()
        self.process = start(
            "--processes", "2", "--port", str(self.port),
            DATABASE_URL=database, REDIS_URL=bus, STEPGRAPH_DATA=str(folder), STEPGRAPH_LOG="json",
        )  # fmt: skip
        end = time.monotonic() + 150
        while True:
            with contextlib.suppress(OSError):
                if self.ask("GET", "/healthz")[0] == 200:
                    break
            assert self.process.poll() is None, self.process.communicate()[0]
            assert time.monotonic() < end, "the server did not start"
            threading.Event().wait(0.2)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], Any]:
        """Each request has a connection of its own, so that either process may get it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Content-Type": "application/json", **{key.replace("_", "-"): text for key, text in headers.items()}}
        with contextlib.closing(connection):
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            response = connection.getresponse()
            data = response.read()
            kind = response.headers.get("Content-Type", "")
            found = {key.lower(): text for key, text in response.getheaders()}
            return response.status, found, json.loads(data) if data and kind == "application/json" else data

    @contextlib.contextmanager
    def follow(self, path: str, **headers: str) -> Iterator[Iterator[tuple[str, Any]]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", path, headers={key.replace("_", "-"): text for key, text in headers.items()})
            response = connection.getresponse()
            assert response.status == 200, response.read()
            yield events_of(response)

    def end(self) -> str:
        self.process.send_signal(signal.SIGTERM)
        output, _ = self.process.communicate(timeout=60)
        return output


def events_of(response: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in response:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            name = text[7:]
        elif text.startswith("data: "):
            yield name, json.loads(text[6:])
