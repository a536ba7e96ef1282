"""The progress of a run as server-sent events.

Events, each with JSON data: ``queued`` {place, seconds}, ``running`` {line}, ``output`` {text}, ``asks`` {prompt},
``measuring`` {done, of}, ``building`` {}, then one of ``done`` {end, links}, ``failed`` {message}, ``cancelled`` {}.
The id of an event is the number of characters of output sent so far, so that a browser that reconnects gets the rest
and nothing twice. Once a run is finished, its output is read from the trace.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Iterator
from typing import Any

from app.web.links import run_links
from app.web.store import FINAL, Record

_PAUSE = 0.05
"""Seconds between two looks at a busy run: what happens in between is told together."""


def offset(last_event_id: str | None) -> int:
    """Where output continues, from a ``Last-Event-ID`` header that may hold anything.

    >>> offset("12"), offset(None), offset("-3"), offset("१२"), offset("9" * 99)
    (12, 0, 0, 0, 0)
    """
    text = last_event_id or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _event(name: str, data: dict[str, Any], id: int) -> str:
    return f"id: {id}\nevent: {name}\ndata: {json.dumps(data)}\n\n"


def follow(record: Record, sent: int, heartbeat: float, closing: threading.Event) -> Iterator[str]:
    """Yield the events of ``record`` until it is finished or the server closes."""
    yield "retry: 2000\n\n"
    run = record.run
    seen = 0
    told: tuple[str, dict[str, Any]] | None = None
    repeats: tuple[int, int] | None = None
    spoke = time.monotonic()
    while True:
        state = record.state
        news = ""
        if run is not None and state != "queued":
            text, line = run.output_so_far()
            if state == "running" and run.progress() is None and told != ("running", {"line": line}):
                told = ("running", {"line": line})
                news += _event("running", {"line": line}, min(sent, len(text)))
            if len(text) > sent:
                piece, sent = text[sent:], len(text)
                news += _event("output", {"text": piece}, sent)
            progress = run.progress()
            if state == "running" and progress is not None and progress != repeats:
                repeats = progress
                news += _event("measuring", {"done": progress[0], "of": progress[1]}, sent)
            if state == "asking" and told != ("asks", {"question": run.question}):
                told = ("asks", {"question": run.question})
                news += _event("asks", {"prompt": run.prompt()}, sent)
        if state == "queued" and run is not None:
            waits = {"place": run.queue_place(), "seconds": math.ceil(run.expected_wait())}
            if told != ("queued", waits):
                told = ("queued", waits)
                news += _event("queued", waits, sent)
        # Not for a run that was stopped or lost: that is on its way to its last event without a document.
        built = run is not None and run.state in ("building", "done")
        if state == "building" and built and told != ("building", {}):
            told = ("building", {})
            news += _event("building", {}, sent)
        if state in FINAL:
            yield news + _last(record, sent)
            return
        if closing.is_set() and record.outlives:
            # The page comes back by itself, to a process that finds the run.
            yield news
            return
        if closing.is_set():
            yield news + _event("failed", {"message": "The server is closing. Run the program again later."}, sent)
            return
        if news:
            spoke = time.monotonic()
            yield news
            time.sleep(_PAUSE)
        elif time.monotonic() - spoke >= heartbeat:
            spoke = time.monotonic()
            yield ": still here\n\n"
        if state == "building" or run is None:
            record.wait(heartbeat)
        else:
            seen = run.wait_change(seen, heartbeat)


def _last(record: Record, sent: int) -> str:
    if record.document is not None:
        return _event("done", {"end": record.document.end, "links": run_links(record.id)}, sent)
    if record.state == "cancelled":
        return _event("cancelled", {}, sent)
    return _event("failed", {"message": record.problem or "The run failed."}, sent)
