"""A full lesson, taught by script: followers join, the teacher steps, asks, shows the answer; who is told how soon.

    python -m benchmarks.classroom                        # one class: 30 followers, 40 steps, three questions
    python -m benchmarks.classroom --followers 300        # a hall
    python -m benchmarks.classroom --classes 50 --questions 0 --steps 8 --pause 1    # a school: 50 classes of 30

The followers are sockets in this process, read by one selector; the server is a process of its own, as it is installed.
A step's time runs from before the teacher's request is sent until the bytes with that step have been read.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.web.config import Config

PROGRAM = (
    "import torch\n\nx = torch.arange(12.0).reshape(3, 4)\nw = torch.ones(4, 2, requires_grad=True)\n"
    "loss = ((x @ w) ** 2).mean()\nloss.backward()\nprint(loss.item())\n"
)


@contextmanager
def server(streams: int) -> Iterator[tuple[str, int, int]]:
    """A server of our own: host, port and process id. As it comes, unless it has to hold more streams than that."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "STEPGRAPH_DATA": folder, "HOST": "127.0.0.1", "PORT": str(port)}
        if streams > Config.streams:
            environment["STEPGRAPH_STREAMS"] = str(streams)
        command = Path(sys.executable).with_name("stepgraph")
        process = subprocess.Popen([command, "serve"], env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for line in process.stdout:
            if "http://" in line:
                break
        try:
            yield "127.0.0.1", port, process.pid
        finally:
            process.terminate()
            process.wait(20)
            process.stdout.close()


class Api:
    """One browser's requests: a connection that is kept, and its cookie."""

    def __init__(self, host: str, port: int) -> None:
        self.connection = http.client.HTTPConnection(host, port, timeout=60)
        self.cookie = ""

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        sent = {"Content-Type": "application/json", **({"Cookie": self.cookie} if self.cookie else {}), **headers}
        payload = None if body is None else json.dumps(body)
        try:
            self.connection.request(method, path, payload, sent)
            answer = self.connection.getresponse()
        except (OSError, http.client.RemoteDisconnected):
            # The server closes connections that have been idle for a minute; a browser tries again, too.
            self.connection.close()
            self.connection.request(method, path, payload, sent)
            answer = self.connection.getresponse()
        data = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            self.cookie = cookie.split(";")[0]
        assert answer.status < 300, (answer.status, data[:300])
        return json.loads(data) if answer.headers.get_content_type() == "application/json" else data


@dataclass
class Follower:
    """A stream that is read; ``told`` holds for each step when it was read."""

    api: Api
    path: str
    stream: socket.socket | None = None
    rest: bytes = b""
    id: str = ""
    told: dict[int, float] = field(default_factory=dict)
    poll: int = 0

    def connect(self, host: str, port: int) -> None:
        self.stream = socket.create_connection((host, port), timeout=60)
        after = f"Last-Event-ID: {self.id}\r\n" if self.id else ""
        head = f"GET {self.path}/events HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {self.api.cookie}\r\n{after}\r\n"
        self.stream.sendall(head.encode())

    def read(self) -> bool:
        """What has come; False when the stream has ended."""
        assert self.stream is not None
        data = self.stream.recv(1 << 16)
        now = time.perf_counter()
        self.rest += data
        *blocks, self.rest = self.rest.split(b"\n\n")
        for block in blocks:
            for line in block.splitlines():
                if line.startswith(b"id: "):
                    self.id = line[4:].decode()
            if b"event: place" in block and (found := re.search(rb'"step":(\d+)', block)):
                self.told.setdefault(int(found[1]), now)
            if b"event: poll" in block and (found := re.search(rb'"number":(\d+)', block)):
                self.poll = int(found[1])
        return bool(data)


class Hall:
    """All followers, read by one thread."""

    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._read, daemon=True)

    def add(self, follower: Follower) -> None:
        assert follower.stream is not None
        self.selector.register(follower.stream, selectors.EVENT_READ, follower)

    def drop(self, follower: Follower) -> None:
        assert follower.stream is not None
        self.selector.unregister(follower.stream)
        follower.stream.close()

    def _read(self) -> None:
        while not self.ending.is_set():
            for key, _ in self.selector.select(0.1):
                if not key.data.read():
                    self.selector.unregister(key.fileobj)


@dataclass
class Class:
    """A class that is taught."""

    teacher: Api
    code: str
    key: str
    followers: list[Follower] = field(default_factory=list)

    def send(self, kind: str, data: Any) -> Any:
        return self.teacher(
            "POST", f"/api/classes/{self.code}/events", {"kind": kind, "data": data}, **{"X-Class-Key": self.key}
        )


def until(holds: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def memory(pid: int) -> float:
    """Resident megabytes of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def teach(classes: int, followers: int, steps: int, pause: float, questions: int) -> dict[str, Any]:
    """Teach ``classes`` classes of ``followers`` at once; times in milliseconds."""
    found: dict[str, Any] = {"classes": classes, "followers": followers, "steps": steps}
    with server(classes * (followers + 1) + 50) as (host, port, pid):
        found["load"] = round(os.getloadavg()[0], 1)
        found["memory before, MB"] = round(memory(pid))
        taught = []
        for _ in range(classes):
            teacher = Api(host, port)
            teacher("GET", "/class")
            opened = teacher("POST", "/api/classes", {"source": PROGRAM, "name": "main.py", "title": "A lesson"})
            taught.append(Class(teacher, opened["code"], opened["key"]))
        hall = Hall()
        began = time.perf_counter()
        for one in taught:
            for n in range(followers):
                api = Api(host, port)
                api("POST", f"/api/classes/{one.code}/members", {"name": f"Student {n}"})
                follower = Follower(api, f"/api/classes/{one.code}")
                follower.connect(host, port)
                one.followers.append(follower)
                hall.add(follower)
        hall.thread.start()
        everybody = [follower for one in taught for follower in one.followers]
        until(lambda: all(0 in follower.told for follower in everybody))
        found["joined within, s"] = round(time.perf_counter() - began, 1)
        found["memory with all, MB"] = round(memory(pid))
        sent: dict[tuple[str, int], float] = {}
        asked = [n * steps // (questions + 1) for n in range(1, questions + 1)]
        lost = taught[0].followers[0]
        votes = 0.0
        for step in range(1, steps + 1):
            for one in taught:
                sent[one.code, step] = time.perf_counter()
                one.send("place", {"program": 1, "step": step, "node": -1, "view": None, "pane": None})
            if step == steps // 3:
                hall.drop(lost)
            if step == steps // 3 + 3:
                lost.rest = b""
                lost.connect(host, port)
                hall.add(lost)
            if step in asked:
                votes = max(votes, question(taught, step))
            time.sleep(pause)
        until(lambda: all(steps in follower.told for follower in everybody))
        # What the one who was away missed is not late: only the newest place counts.
        late = [
            1000 * (follower.told[step] - sent[one.code, step])
            for one in taught
            for follower in one.followers
            for step in range(1, steps + 1)
            if step in follower.told and follower is not lost
        ]
        reached = len(late) / (steps * (len(everybody) - 1))
        cuts = statistics.quantiles(late, n=100)
        found |= {"median, ms": round(cuts[49], 1), "95 %, ms": round(cuts[94], 1), "99 %, ms": round(cuts[98], 1)}
        found["longest, ms"] = round(max(late), 1)
        found["told each step, %"] = round(100 * reached, 1)
        found["a question answered by all, s"] = round(votes, 2)
        export = taught[0].teacher("GET", f"/api/classes/{taught[0].code}/export.csv", **{"X-Class-Key": taught[0].key})
        found["votes exported"] = export.decode().count("Student ")
        for one in taught:
            one.send("closed", {})
        hall.ending.set()
        hall.thread.join()
    return found


def question(taught: list[Class], step: int) -> float:
    """Ask every class, let everybody answer, show the answer; seconds until all had answered."""
    began = time.perf_counter()
    for one in taught:
        asked = {"type": "value", "question": f"What comes at step {step}?", "program": 1, "step": step, "answer": "4"}
        number = one.send("asked", asked)["number"]
        for follower in one.followers:
            vote = {"kind": "voted", "data": {"poll": number, "value": str(random.randint(1, 5))}}
            follower.api("POST", f"{follower.path}/events", vote)
        one.send("revealed", {"poll": number})
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classes", type=int, default=1)
    parser.add_argument("--followers", type=int, default=30)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--pause", type=float, default=0.3, help="seconds between two steps")
    parser.add_argument("--questions", type=int, default=3)
    options = parser.parse_args()
    for name, value in teach(
        options.classes, options.followers, options.steps, options.pause, options.questions
    ).items():
        print(f"{name:34}{value}")


if __name__ == "__main__":
    main()
