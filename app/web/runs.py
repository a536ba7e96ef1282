"""``/api/runs``: hand a program in, follow it, fetch its trace, stop it."""

from __future__ import annotations

import math
from typing import Any

from flask import Blueprint, Response, jsonify, request

from app.web import streams, submission
from app.web.answers import document_response, event_stream
from app.web.errors import ApiError
from app.web.links import run_links
from app.web.services import services
from app.web.sessions import Caller, session_id
from app.web.store import Record

blueprint = Blueprint("runs", __name__, url_prefix="/api/runs")


@blueprint.post("")
def create() -> Response:
    """Hand a program in: 202 with its id, or with ``wait`` 200 with its trace once it is done."""
    found = services()
    handed_in = submission.read(request, found.config)
    caller = Caller.now()  # before it gets a session for the next time
    session_id()
    if not handed_in.wait:
        return _progress(found.desk.submit(handed_in.request, caller, handed_in.measure))
    if not found.waiters.acquire(blocking=False):
        raise ApiError(
            503, "Too many requests are waiting for their runs.", 'Send it without "wait" and ask later.', retry_after=5
        )
    try:
        record = found.desk.submit(handed_in.request, caller, handed_in.measure)
        # Long enough for any queue that is worth standing in; after that the caller gets the id and may ask again.
        longest = handed_in.measure.seconds if handed_in.measure else 0.0
        record.wait(handed_in.request.limits.seconds + longest + 60)
    finally:
        found.waiters.release()
    response = _answer(record)
    response.headers["Location"] = run_links(record.id)["trace"]
    return response


@blueprint.get("/<id>")
def show(id: str) -> Response:
    """The trace of a finished run, or how far it is."""
    return _answer(_find(id))


@blueprint.delete("/<id>")
def cancel(id: str) -> Response:
    """Stop a run, or forget what a finished one left."""
    services().desk.stop(_find_own(id))
    return Response(status=204)


@blueprint.post("/<id>/stop")
def halt(id: str) -> Response:
    """End a running program; what it has recorded is kept and can be followed as usual: 204."""
    if not services().desk.halt(_find_own(id)):
        raise ApiError(409, "This program does not run now.", "DELETE the run to forget it.")
    return Response(status=204)


@blueprint.post("/<id>/input")
def answer(id: str) -> Response:
    """Give a line, or the end of the input, to a program that asks: 204."""
    record = _find_own(id)
    line = submission.read_answer(request)
    run = record.run
    if run is None or not (run.end_input() if line is None else run.answer(line)):
        raise ApiError(409, "This program does not ask for input now.", "Wait for the event asks.")
    return Response(status=204)


@blueprint.get("/<id>/events")
def events(id: str) -> Response:
    """The progress of a run as server-sent events (see :mod:`app.web.streams`)."""
    found = services()
    record = _find(id)
    start = streams.offset(request.headers.get("Last-Event-ID"))
    body = streams.follow(record, start, found.config.heartbeat, found.closing)
    response = event_stream(body, hint=f"Ask for /api/runs/{id} instead.")
    record.follow()
    response.call_on_close(record.leave)
    return response


def _find(id: str) -> Record:
    record = services().desk.find(id)
    if record is None:
        raise ApiError(404, "There is no such run.", "Runs are forgotten after a while. Press Run to record anew.")
    record.seen()
    return record


def _find_own(id: str) -> Record:
    """The same for what changes it: a run that was handed in with a session cookie obeys that session only."""
    record = _find(id)
    if not Caller.now().may_change(record.session):
        raise ApiError(403, "This program was handed in by another browser session.", "Answer or stop it there.")
    return record


def _answer(record: Record) -> Response:
    if record.document is not None:
        return document_response(record.document)
    if record.state == "cancelled":
        raise ApiError(410, "This run was stopped.", "Press Run to record anew.")
    if record.state == "failed":
        raise ApiError(500, record.problem or "The run failed.", "Run it again; change the program if it fails again.")
    return _progress(record)


def _progress(record: Record) -> Response:
    state, run = record.state, record.run
    body: dict[str, Any] = {"id": record.id, "state": state, "links": run_links(record.id)}
    if state == "queued" and run is not None:
        body |= {"place": run.queue_place(), "seconds": math.ceil(run.expected_wait())}
    if run is not None and (progress := run.progress()) is not None:
        body["repeats"] = {"done": progress[0], "of": progress[1]}
    if state == "asking" and run is not None:
        body["prompt"] = run.prompt()
        body["links"]["input"] = f"/api/runs/{record.id}/input"
    response = jsonify(body)
    response.status_code = 202
    response.headers["Location"] = run_links(record.id)["trace"]
    response.headers["Retry-After"] = "1"
    return response
