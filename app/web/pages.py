"""The pages, and whether the server lives."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from app import places, standalone
from app.web.errors import ApiError
from app.web.services import services
from app.web.sessions import session_id

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def start() -> str | Answer:
    """The start page. An address of the player from when it stood here leads there still."""
    if "example" in request.args:
        return redirect(f"{url_for('pages.play')}?{request.query_string.decode()}")
    return _page("start.html")


@blueprint.get("/play")
def play() -> str:
    """The player: one program."""
    return _page("play.html")


@blueprint.get("/compare")
def compare() -> str:
    """Two recordings side by side."""
    return _page("compare.html")


def _page(template: str) -> str:
    """A page. A browser gets its session here, before it runs anything."""
    session_id()
    return render_template(template, max_source_bytes=services().config.max_source_bytes, version=places.version())


@blueprint.get("/api/player-page")
def player_page() -> dict[str, str]:
    """The page that plays a recording without a server; the page in the browser puts its recording in and saves it."""
    try:
        return {"page": standalone.shell()}
    except standalone.NotBuiltError as problem:
        raise ApiError(503, str(problem), "Then save the page again.") from None


@blueprint.get("/healthz")
def health() -> Response | dict[str, str | int]:
    """200 while the server takes runs."""
    found = services()
    if found.closing.is_set():
        return Response("closing\n", 503, mimetype="text/plain")
    return {"status": "ok", "version": places.version(), "unfinished": found.desk.store.unfinished()}
