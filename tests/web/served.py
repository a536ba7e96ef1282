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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

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
