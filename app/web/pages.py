"""The page, and whether the server lives."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from app import places
from app.web.services import services
from app.web.sessions import session_id

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def play() -> str:
    """The player. It gets its session here, before it runs anything."""
    session_id()
    return render_template("play.html", max_source_bytes=services().config.max_source_bytes, version=places.version())


@blueprint.get("/healthz")
def health() -> Response | dict[str, str | int]:
    """200 while the server takes runs."""
    found = services()
    if found.closing.is_set():
        return Response("closing\n", 503, mimetype="text/plain")
    return {"status": "ok", "version": places.version(), "unfinished": found.desk.store.unfinished()}
