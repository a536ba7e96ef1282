"""The progress of a run as server-sent events."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient


def parse(text: str) -> list[tuple[str, dict[str, Any], int]]:
    """(event, data, id) of every event; comments and the retry line are no events."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"]), int(fields["id"])))
    return found


def hand_in(client: FlaskClient) -> dict[str, str]:
    links: dict[str, str] = client.post("/api/runs", json={"source": "x"}).get_json()["links"]
    return links


def moves(*steps: Callable[[], None], pause: float = 0.15) -> threading.Thread:
    """Do ``steps`` one after the other in the background, so that the stream sees each."""

    def work() -> None:
        for step in steps:
            time.sleep(pause)
            step()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_events_tell_the_whole_story_in_order(client: FlaskClient, runner: Any) -> None:
    links = hand_in(client)
    run = runner.runs[0]
    thread = moves(
        lambda: run.become("running", line=1),
        lambda: run.become("running", line=3, output="höllo\n"),
        lambda: run.become("building", output="world\n"),
        lambda: run.become("done"),
    )
    response = client.get(links["events"])
    text = response.text
    thread.join()
    assert response.mimetype == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert text.startswith("retry: ")
    assert parse(text) == [
        ("queued", {"place": 1, "seconds": 1}, 0),
        ("running", {"line": 1}, 0),
        ("running", {"line": 3}, 0),
        ("output", {"text": "höllo\n"}, 6),
        ("output", {"text": "world\n"}, 12),
        ("building", {}, 12),
        ("done", {"end": "ok", "links": links}, 12),
    ]


def test_a_browser_that_reconnects_gets_the_rest(client: FlaskClient, runner: Any) -> None:
    links = hand_in(client)
    runner.runs[0].become("running", output="0123456789", line=1)
    thread = moves(runner.runs[0].cancel)
    events = parse(client.get(links["events"], headers={"Last-Event-ID": "4"}).text)
    thread.join()
    assert ("output", {"text": "456789"}, 10) in events
    assert events[-1] == ("cancelled", {}, 10)


@pytest.mark.parametrize("last", ["", "-1", "x", "1e3", "9" * 400, "\u0663"])
def test_a_senseless_last_event_id_starts_at_the_beginning(client: FlaskClient, runner: Any, last: str) -> None:
    links = hand_in(client)
    runner.runs[0].become("running", output="abc", line=1)
    thread = moves(runner.runs[0].cancel)
    events = parse(client.get(links["events"], headers={"Last-Event-ID": last.encode().decode("latin-1")}).text)
    thread.join()
    assert ("output", {"text": "abc"}, 3) in events


def test_an_id_beyond_the_output_sends_no_output_twice(client: FlaskClient, runner: Any) -> None:
    links = hand_in(client)
    runner.runs[0].become("running", output="abc", line=1)
    thread = moves(runner.runs[0].cancel)
    events = parse(client.get(links["events"], headers={"Last-Event-ID": "99"}).text)
    thread.join()
    assert [name for name, _, _ in events] == ["running", "cancelled"]


def test_a_finished_run_has_one_event(client: FlaskClient, runner: Any, until: Any) -> None:
    runner.instant = True
    links = hand_in(client)
    until(lambda: client.get(links["trace"]).status_code == 200)
    assert parse(client.get(links["events"]).text) == [("done", {"end": "ok", "links": links}, 0)]


def test_failure_says_why(client: FlaskClient, runner: Any) -> None:
    links = hand_in(client)
    thread = moves(lambda: runner.runs[0].become("failed"))
    events = parse(client.get(links["events"]).text)
    thread.join()
    assert events[-1] == ("failed", {"message": "The sandbox went away."}, 0)


def test_output_cannot_forge_events(client: FlaskClient, runner: Any) -> None:
    evil = "\n\nevent: done\ndata: {}\n\n\r\r\u2028"
    links = hand_in(client)
    runner.runs[0].become("running", output=evil, line=1)
    thread = moves(runner.runs[0].cancel)
    events = parse(client.get(links["events"]).text)
    thread.join()
    assert [name for name, _, _ in events] == ["running", "output", "cancelled"]
    assert events[1][1] == {"text": evil}


def test_a_quiet_stream_has_a_heartbeat(make: Callable[..., Flask], runner: Any) -> None:
    client = make(heartbeat=0.05).test_client()
    links = hand_in(client)
    thread = moves(runner.runs[0].cancel, pause=0.5)
    text = client.get(links["events"]).text
    thread.join()
    assert text.count(": still here\n\n") >= 3
    assert [name for name, _, _ in parse(text)] == ["queued", "cancelled"]


def test_closing_the_server_ends_the_stream(make: Callable[..., Flask], runner: Any) -> None:
    app = make()
    client = app.test_client()
    links = hand_in(client)
    pieces: Iterator[bytes] = client.get(links["events"], buffered=False).response  # type: ignore[assignment]
    assert next(iter(pieces)).startswith(b"retry")
    app.extensions["stepgraph"].close()
    rest = b"".join(pieces).decode()
    assert parse(rest)[-1][0] in ("cancelled", "failed")
    assert client.get("/healthz").status_code == 503
