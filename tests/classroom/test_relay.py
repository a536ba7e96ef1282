"""A class at a relay: two real servers, one of which follows the class that the other keeps. (That a relayed class is
as any other is tested in test_class_api.py.)"""

from __future__ import annotations

import http.client
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.classroom.relay import read_address

sys.path[:0] = [str(Path(__file__).parents[1] / "web")]

from served import Server  # noqa: E402 - found by the line above

PROGRAM = {"source": "print(input(), open('a.csv').read())\n", "name": "main.py", "title": "Loops", "stdin": "4\n"}
FILES = [{"name": "a.csv", "data": "MSwyCg=="}]
PLACE = {"program": 1, "step": 0, "node": -1, "view": None, "pane": None}


class Member:
    """Somebody in the class, at one of the two servers: a cookie, and a stream that is read when it is asked."""

    def __init__(self, server: Server, code: str, key: str = "") -> None:
        self.server, self.path = server, f"/api/classes/{code}"
        self.headers = {"X-Class-Key": key} if key else {}
        self.told: dict[str, Any] = {}
        if not key:
            _, headers, body = server.request("POST", f"{self.path}/members", {"name": "Ada"})
            self.id = json.loads(body)["id"]
            self.headers = {"Cookie": headers["set-cookie"].split(";")[0]}

    def send(self, kind: str, data: Any) -> tuple[int, Any]:
        status, _, body = self.server.request(
            "POST", f"{self.path}/events", {"kind": kind, "data": data}, **self.headers
        )
        return status, json.loads(body) if body else None

    def follow(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        self.connection.request("GET", f"{self.path}/events", headers=self.headers)
        self.stream = self.connection.getresponse()
        assert self.stream.status == 200

    def until(self, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """What was told, once that holds."""
        name = ""
        while not holds(self.told):
            line = self.stream.readline().decode()
            assert line, f"the stream has ended: {self.told}"
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: "):
                self.told[name] = json.loads(line[6:])
        return self.told


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return [str(tmp_path_factory.mktemp(name)) for name in ("relay", "laptop")]


@pytest.fixture(scope="module")
def pair(folders: list[str]) -> Iterator[list[Server]]:
    """The relay, and the teacher's laptop."""
    relay = Server(STEPGRAPH_DATA=folders[0])
    laptop = Server(STEPGRAPH_DATA=folders[1], STEPGRAPH_RELAY=f"http://127.0.0.1:{relay.port}/")
    servers = [relay, laptop]
    yield servers
    for server in servers:
        server.end()


def opened(server: Server) -> tuple[str, str]:
    status, _, body = server.request("POST", "/api/classes", {**PROGRAM, "files": FILES})
    assert status == 201, body
    found = json.loads(body)
    return found["code"], found["key"]


@pytest.mark.slow
def test_a_class_is_steered_here_and_followed_there(pair: list[Server], folders: list[str]) -> None:
    relay, laptop = pair
    code, key = opened(laptop)
    assert f"http://127.0.0.1:{relay.port}/class" in laptop.request("GET", f"/class/{code}/screen")[2].decode()
    teacher, near, far = Member(laptop, code, key), Member(laptop, code), Member(relay, code)
    for one in (teacher, near, far):
        one.follow()
    teacher.until(lambda told: told.get("people", {}).get("following") == 2)

    # Steps, a question, votes of both halls, the program with its input and its file.
    assert teacher.send("place", {**PLACE, "step": 2})[0] == 200
    for one in (near, far):
        one.until(lambda told: told.get("place", {}).get("step") == 2)
    poll = teacher.send("asked", {"type": "truth", "question": "?", "program": 1, "step": 2, "answer": True})[1][
        "number"
    ]
    for one, value in ((near, True), (far, False)):
        one.until(lambda told: told.get("poll"))
        status, answer = one.send("voted", {"poll": poll, "value": value})
        assert (status, answer["me"]["vote"]) == (200, value)
    teacher.until(lambda told: (told.get("tally") or {}).get("votes") == 2)
    trace = far.server.request("GET", f"{far.path}/programs/1/trace", **far.headers)[2]
    assert "4 1,2" in json.loads(trace)["stdout"]
    assert teacher.send("pointer", {"slot": 1, "x": 0, "y": 0})[0] == 204
    for one in (near, far):
        one.until(lambda told: told.get("pointer", {}).get("slot") == 1)
    remote = Member(relay, code, key)  # the teacher's phone, which does not reach the laptop either
    assert remote.send("steer", "next")[0] == 204
    teacher.until(lambda told: told.get("steer") == "next")

    # Only the key steers, at either of them, and what one may not do there one may not do here.
    for one in (near, far):
        assert one.send("place", {**PLACE, "step": 3})[0] == 422
        for headers in (one.headers, {"X-Class-Key": "wrong"}):
            event = {"who": "teacher", "kind": "place", "data": PLACE}
            assert one.server.request("POST", f"{one.path}/log", event, **headers)[0] == 403
            assert one.server.request("GET", f"{one.path}/log", **headers)[0] == 403
    assert near.send("voted", {"poll": 1, "value": True})[0] == 409
    assert (
        laptop.request("POST", f"{near.path}/log", {"who": "x", "kind": "place", "data": {}}, X_Class_Key=key)[0] == 422
    )
    forged = {"who": "teacher", "kind": "joined", "data": {"name": "x"}}
    assert relay.request("POST", f"{near.path}/log", forged, X_Class_Key=key)[0] == 422

    # The relay is killed and starts again: the class goes on, in both halls.
    relay.end(signal.SIGKILL)
    end = time.monotonic() + 30
    while teacher.send("place", {**PLACE, "step": 3})[0] != 503:
        assert time.monotonic() < end
    pair[0] = relay = Server(STEPGRAPH_DATA=folders[0], PORT=str(relay.port))
    far.server = relay
    far.follow()
    while teacher.send("place", {**PLACE, "step": 4})[0] != 200:
        assert time.monotonic() < end
    for one in (near, far):
        one.until(lambda told: told.get("place", {}).get("step") == 4)

    # The laptop is killed and starts again: its key link takes the class up.
    laptop.end(signal.SIGKILL)
    pair[1] = laptop = Server(STEPGRAPH_DATA=folders[1], STEPGRAPH_RELAY=f"http://127.0.0.1:{relay.port}")
    teacher = Member(laptop, code, key)
    assert laptop.request("GET", f"/class/{code}/teach")[0] == 200
    teacher.follow()
    assert teacher.until(lambda told: told.get("people", {}).get("following") == 1)["place"]["step"] == 4

    assert teacher.send("closed", {})[0] == 200
    far.until(lambda told: told["class"]["closed"])
    assert json.loads(relay.request("GET", far.path)[2])["closed"] is True
    assert json.loads(laptop.request("GET", far.path)[2])["closed"] is True


@pytest.mark.parametrize("text", ["relay", "ftp://a.b", "https://", "https://a.b/class", "https://a.b?x=1"])
def test_what_is_no_address_is_said_so(text: str) -> None:
    with pytest.raises(ValueError, match="no address of an instance"):
        read_address(text)
