"""The pages, and whether the server lives."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from app import places, standalone
from app.web.errors import ApiError
from app.web.reach import public_base
from app.web.services import services
from app.web.sessions import session_id

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def start() -> str | Answer:
    """The start page. An address of the player from when it stood here leads there still."""
    if "example" in request.args:
        return redirect(f"{url_for('pages.play')}?{request.query_string.decode()}")
    return page("start.html")


@blueprint.get("/play")
def play() -> str:
    """The player: one program. An example that the address names can be embedded by it."""
    example = request.args.get("example", "")
    return page("play.html", oembed=oembed_address(f"/play?example={quote(example)}") if example else "")


@blueprint.get("/compare")
def compare() -> str:
    """Two recordings side by side."""
    return page("compare.html")


def page(template: str, **values: object) -> str:
    """A page. A browser gets its session here, before it runs anything."""
    session_id()
    most = services().config.max_source_bytes
    return render_template(template, max_source_bytes=most, version=places.version(), **values)


def oembed_address(path: str) -> str:
    """Where oEmbed's answer for one of our own pages is: such a page names it in its head."""
    base = public_base()
    return f"{base}/oembed?url={quote(base + path, safe='')}"


@blueprint.get("/api/player-page")
def player_page() -> dict[str, str]:
    """The page that plays a recording without a server; the page in the browser puts its recording in and saves it."""
    try:
        return {"page": standalone.shell()}
    except standalone.NotBuiltError as problem:
        raise ApiError(503, str(problem), "Then save the page again.") from None


@blueprint.get("/healthz")
def health() -> Response | dict[str, Any]:
    """200 while the server takes runs, and what stands between a program and this machine."""
    found = services()
    if found.closing.is_set():
        return Response("closing\n", 503, mimetype="text/plain")
    isolation = found.desk.runner.isolation()
    return {
        "status": "ok",
        "version": places.version(),
        "unfinished": found.desk.store.unfinished(),
        "isolated": isolation.isolated,
        "layers": isolation.layers,
    }
