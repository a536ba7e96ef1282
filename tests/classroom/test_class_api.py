"""The classroom over HTTP: who may do what, what who is told, coming back, ending. In both set-ups."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from app.classroom.classes import LASTS

PROGRAM = {"source": "print('hello')\n", "name": "main.py", "title": "Loops", "notes": "Only for the teacher."}
ASKED = {"type": "text", "question": "Why?", "program": 1, "step": 0, "answer": "because"}


@pytest.fixture
def app(make: Callable[..., Flask], runner: Any) -> Flask:
    runner.instant = True
    return make(heartbeat=0.2)


@pytest.fixture
def relayed(make: Callable[..., Flask], runner: Any) -> Iterator[Flask]:
    """An application whose classes another one keeps, which it reaches over HTTP."""
    runner.instant = True
    relay = make_server("127.0.0.1", 0, make(heartbeat=0.2), threaded=True)
    serving = threading.Thread(target=relay.serve_forever, args=(0.05,))
    serving.start()
    yield make(relay=f"http://127.0.0.1:{relay.port}", heartbeat=0.2)
    relay.shutdown()
    serving.join()
    relay.server_close()


class Lesson:
    """A class as the tests drive it: a teacher with the key, followers with cookies of their own."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.teacher = app.test_client()
        opened = self.teacher.post("/api/classes", json=PROGRAM)
        assert opened.status_code == 201, opened.json
        assert opened.json is not None
        self.code, self.key = opened.json["code"], opened.json["key"]
        self.path = f"/api/classes/{self.code}"
        self.headers = {"X-Class-Key": self.key}

    def send(self, kind: str, data: Any) -> Any:
        return self.teacher.post(f"{self.path}/events", json={"kind": kind, "data": data}, headers=self.headers)

    def join(self, name: str | None = None) -> FlaskClient:
        follower = self.app.test_client()
        joined = follower.post(f"{self.path}/members", json={"name": name})
        assert joined.status_code == 200, joined.json
        return follower

    def by(self, follower: FlaskClient, kind: str, data: Any) -> Any:
        return follower.post(f"{self.path}/events", json={"kind": kind, "data": data})

    def told(self, client: FlaskClient, until: str, *, key: bool = False, after: str = "", query: str = "") -> Any:
        """The sections that a stream tells, up to and with the first one called ``until``."""
        headers = dict(self.headers) if key else {}
        if after:
            headers["Last-Event-ID"] = after
        response = client.get(f"{self.path}/events{query}", headers=headers, buffered=False)
        assert response.status_code == 200, response.json
        found: dict[str, Any] = {}
        for name, id, data in _events(response.response):
            found[name] = data
            found["id"] = id
            if name == until:
                break
        response.close()
        return found


def _events(chunks: Any) -> Iterator[tuple[str, str, Any]]:
    for chunk in chunks:
        for block in chunk.decode().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
            if "event" in lines:
                yield lines["event"], lines.get("id", ""), json.loads(lines["data"])


@pytest.fixture
def lesson(app: Flask) -> Lesson:
    return Lesson(app)


def test_a_follower_is_told_the_place_and_no_secret(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    lesson.send("place", {"program": 1, "step": 7, "node": 2, "view": None, "pane": None})
    lesson.send("asked", ASKED)
    lesson.by(ada, "voted", {"poll": 4, "value": "no idea"})
    told = lesson.told(ada, "me")
    assert told["place"]["step"] == 7
    assert told["poll"]["question"] == "Why?"
    assert (told["me"]["name"], told["me"]["vote"]) == ("Ada", "no idea")
    everything = json.dumps(told)
    assert lesson.key not in everything
    assert "because" not in everything
    assert "Only for the teacher" not in everything
    assert not {"people", "tally", "offers"} & set(told)


def test_the_teacher_is_told_who_is_there_and_how_they_vote(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    lesson.by(ada, "hand", {"up": True})
    lesson.send("asked", ASKED)
    lesson.by(ada, "voted", {"poll": 4, "value": "Because"})
    told = lesson.told(lesson.teacher, "hall", key=True)
    (person,) = told["people"]["members"]
    assert (person["name"], person["hand"] is not None) == ("Ada", True)
    assert told["tally"]["counts"] == [{"value": "Because", "count": 1, "right": True}]
    assert told["class"]["notes"] == "Only for the teacher."


def test_who_comes_back_is_told_what_has_changed_and_no_more(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    first = lesson.told(ada, "me")
    lesson.send("place", {"program": 1, "step": 3, "node": -1, "view": None, "pane": None})
    told = lesson.told(ada, "place", after=first["id"])
    assert set(told) <= {"place", "me", "id"}
    assert told["place"]["step"] == 3
    assert lesson.told(ada, "me", after="999999")["place"]["step"] == 3  # a number from another life of the class


def test_a_step_reaches_an_open_stream(lesson: Lesson) -> None:
    ada = lesson.join()
    response = ada.get(f"{lesson.path}/events", buffered=False)
    places = (data["step"] for name, _, data in _events(response.response) if name == "place")
    assert next(places) == 0
    moved = threading.Thread(
        target=lesson.send, args=("place", {"program": 1, "step": 9, "node": -1, "view": None, "pane": None})
    )
    moved.start()
    assert next(places) == 9
    moved.join()
    response.close()
    assert lesson.told(lesson.teacher, "people", key=True)["people"]["following"] == 0


def test_what_passes_is_told_and_not_kept(lesson: Lesson) -> None:
    ada = lesson.join()
    response = ada.get(f"{lesson.path}/events", buffered=False)
    passing = (data for name, _, data in _events(response.response) if name == "pointer")
    seen: list[Any] = []
    reader = threading.Thread(target=lambda: seen.append(next(passing)))
    reader.start()
    for _ in range(50):  # until the stream stands
        assert lesson.send("pointer", {"slot": 1, "x": 2, "y": 3}).status_code == 204
        reader.join(0.05)
        if not reader.is_alive():
            break
    assert seen == [{"slot": 1, "x": 2.0, "y": 3.0}]
    response.close()
    assert lesson.send("steer", "sideways").status_code == 422


@pytest.mark.parametrize("key", [None, "", "wrong"])
def test_only_the_key_steers(lesson: Lesson, key: str | None) -> None:
    ada = lesson.join("Ada")
    headers = {} if key is None else {"X-Class-Key": key}
    place = {"kind": "place", "data": {"program": 1, "step": 1, "node": -1}}
    for client in (ada, lesson.app.test_client()):
        status = client.post(f"{lesson.path}/events", json=place, headers=headers).status_code
        assert status == (403 if key is not None or client is not ada else 422)
        assert client.get(f"{lesson.path}/export.csv", headers=headers).status_code == 403
    if key is not None:
        assert ada.get(f"{lesson.path}/events", headers=headers).status_code == 403


def test_strangers_follow_only_as_the_projector(lesson: Lesson) -> None:
    lesson.join("Ada")
    stranger = lesson.app.test_client()
    assert stranger.get(f"{lesson.path}/events").status_code == 403
    assert stranger.post(f"{lesson.path}/events", json={"kind": "hand", "data": {"up": True}}).status_code == 403
    told = lesson.told(stranger, "people", query="?as=projector")
    assert told["people"] == {"following": 1}


def test_other_sites_are_refused(lesson: Lesson) -> None:
    body = {"kind": "closed", "data": {}}
    for extra in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        headers = {**lesson.headers, **extra}
        assert lesson.teacher.post(f"{lesson.path}/events", json=body, headers=headers).status_code == 403


def test_a_reload_keeps_the_place_in_the_class(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    first = ada.post(f"{lesson.path}/members", json={}).json
    again = ada.post(f"{lesson.path}/members", json={"name": None}).json
    assert first == again
    page = ada.get(f"/class/{lesson.code}").text
    assert 'id="hand"' in page
    assert "What is stored" in lesson.app.test_client().get(f"/class/{lesson.code.upper()}").text


def test_a_program_on_offer_is_the_teachers_until_it_is_shown(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    number = lesson.by(ada, "offered", {"source": "print('hello')\n", "name": "mine.py"}).json["number"]
    trace = f"{lesson.path}/programs/{number}/trace"
    assert ada.get(trace).status_code == 404
    assert lesson.teacher.get(trace, headers=lesson.headers).status_code == 200
    assert lesson.send("shown", {"offer": number}).status_code == 200
    told = lesson.told(ada, "place")
    assert (told["class"]["by"], told["place"]["program"]) == ("Ada", number)
    assert ada.get(trace).status_code == 200


def test_pushed_code_is_recorded_and_shown(lesson: Lesson) -> None:
    ada = lesson.join()
    number = lesson.send("code", {"source": "x = 1\n", "name": "main.py"}).json["number"]
    assert lesson.told(ada, "place")["class"]["program"] == number
    assert ada.get(f"{lesson.path}/programs/{number}/trace").status_code == 200
    assert lesson.send("code", {"source": 1}).status_code == 422
    stale = {"program": 1, "step": 3, "node": -1}
    assert lesson.send("place", stale).status_code == 409


def test_what_a_program_reads_comes_with_it_and_outlives_the_server(lesson: Lesson, runner: Any) -> None:
    ada = lesson.join()
    program = {"source": "print(input(), open('a.csv').read())\n", "name": "main.py", "stdin": "4\n"}
    files = [{"name": "a.csv", "data": "MSwyCg=="}]
    services = lesson.app.extensions["stepgraph"]
    for send in (partial(lesson.send, "code"), partial(lesson.by, ada, "offered")):
        number = send({**program, "files": files}).json["number"]
        services.classes._lives.clear()
        services.class_recordings.forget(lesson.code)
        trace = f"{lesson.path}/programs/{number}/trace"
        assert lesson.teacher.get(trace, headers=lesson.headers).status_code == 200
        request = runner.runs[-1].request
        assert (request.stdin, request.files) == ("4\n", (("a.csv", b"1,2\n"),))
        assert lesson.teacher.get(f"{lesson.path}/programs/{number}/files", headers=lesson.headers).json == {
            "files": files
        }
        for bad in ([{"name": "../a", "data": ""}], [{"name": "a", "data": "?"}], "a"):
            assert send({**program, "files": bad}).status_code == 422


def test_what_one_follower_brings_is_bounded(lesson: Lesson) -> None:
    ada, bob = lesson.join(), lesson.join()
    large = {"source": "1", "name": "main.py", "files": [{"name": "a", "data": "AAAA" * 150_000}]}
    assert lesson.by(ada, "offered", large).status_code == 200
    refused = lesson.by(ada, "offered", large)
    assert (refused.status_code, "1 MB" in refused.json["error"]["message"]) == (409, True)
    assert lesson.by(bob, "offered", large).status_code == 200
    assert lesson.send("code", large).status_code == 200


def test_a_removed_follower_is_out(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    id = ada.post(f"{lesson.path}/members", json={}).json["id"]  # type: ignore[index]
    assert lesson.send("removed", {"member": id}).status_code == 200
    assert lesson.by(ada, "hand", {"up": True}).status_code == 409
    assert ada.post(f"{lesson.path}/members", json={"name": "Ada"}).status_code == 409


def test_one_follower_cannot_flood(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    answers = [lesson.by(ada, "hand", {"up": bool(n % 2)}) for n in range(30)]
    assert answers[-1].status_code == 429
    assert answers[-1].headers["Retry-After"]
    bob = lesson.join("Bob")
    assert lesson.by(bob, "hand", {"up": True}).status_code == 200


def test_the_end_deletes_names_and_texts(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    lesson.send("asked", ASKED)
    lesson.by(ada, "voted", {"poll": 3, "value": "because"})
    export = lesson.teacher.get(f"{lesson.path}/export.csv", headers=lesson.headers)
    assert "Why?,text,1,Ada,because,true" in export.text
    assert lesson.send("closed", {}).status_code == 200
    services = lesson.app.extensions["stepgraph"]
    assert services.classes._store.events(lesson.code) == []
    assert lesson.told(ada, "class", query="?as=projector")["class"]["closed"] is True
    assert lesson.by(ada, "hand", {"up": True}).status_code == 409
    assert "This class is over" in ada.get(f"/class/{lesson.code}").text
    assert lesson.teacher.get(f"{lesson.path}/programs/1/trace").status_code == 404
    services.classes._lives.clear()  # the server starts again
    assert ada.get(lesson.path).get_json()["closed"] is True
    assert "This class is over" in ada.get(f"/class/{lesson.code}").text


def test_a_class_ends_a_day_after_it_was_opened(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = lesson.join("Ada")
    classes = lesson.app.extensions["stepgraph"].classes
    monkeypatch.setattr(classes, "_clock", lambda: time.time() + LASTS + 1)
    assert lesson.told(ada, "class", query="?as=projector")["class"]["closed"] is True
    assert classes._store.find(lesson.code) is None
    classes._lives.clear()
    assert ada.get(lesson.path).status_code == 404


def test_a_server_that_starts_again_takes_the_class_up(lesson: Lesson) -> None:
    ada = lesson.join("Ada")
    lesson.send("place", {"program": 1, "step": 5, "node": -1, "view": None, "pane": None})
    services = lesson.app.extensions["stepgraph"]
    services.classes._lives.clear()
    services.class_recordings.forget(lesson.code)
    told = lesson.told(lesson.teacher, "hall", key=True)
    assert told["place"]["step"] == 5
    assert told["people"]["members"][0]["name"] == "Ada"
    assert ada.get(f"{lesson.path}/programs/1/trace").status_code == 200
    assert lesson.by(ada, "hand", {"up": True}).status_code == 200


def test_a_name_is_text_and_a_code_that_does_not_exist_is_said_so(lesson: Lesson) -> None:
    lesson.join("<script>alert(1)</script>")
    stranger = lesson.app.test_client()
    assert stranger.get("/api/classes/aaaaaa").status_code == 404
    page = stranger.get("/class/<b>x").text
    assert "There is no class with this code" in page
    assert "<b>x" not in page
    assert stranger.get("/class/aaaaaa/teach").status_code == 404
    assert lesson.key not in lesson.teacher.get(f"/class/{lesson.code}/teach").text


def test_the_qr_code_is_a_picture(lesson: Lesson) -> None:
    picture = lesson.teacher.get(f"{lesson.path}/qr.svg")
    assert (picture.mimetype, picture.text[:5]) == ("image/svg+xml", "<svg ")


@pytest.mark.parametrize(
    "holds",
    [
        test_a_follower_is_told_the_place_and_no_secret,
        test_the_teacher_is_told_who_is_there_and_how_they_vote,
        test_who_comes_back_is_told_what_has_changed_and_no_more,
        test_a_step_reaches_an_open_stream,
        test_what_passes_is_told_and_not_kept,
        partial(test_only_the_key_steers, key="wrong"),
        test_strangers_follow_only_as_the_projector,
        test_a_program_on_offer_is_the_teachers_until_it_is_shown,
        test_pushed_code_is_recorded_and_shown,
        test_a_removed_follower_is_out,
        test_one_follower_cannot_flood,
    ],
)
def test_it_is_the_same_where_a_relay_keeps_the_class(relayed: Flask, holds: Callable[[Lesson], None]) -> None:
    holds(Lesson(relayed))
