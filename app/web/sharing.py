"""Short links and their pages, the embed page, oEmbed. Nothing here runs anything: an opened link shows a program."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Answer

from app import sharing
from app.rates import Rate
from app.sharing import Embed, Link, LinkError, Links
from app.store import Database, FullError, Programs, StoreError
from app.web import submission
from app.web.config import Config
from app.web.errors import ApiError
from app.web.pages import oembed_address, page
from app.web.reach import is_reachable, public_base
from app.web.security import allow_framing, is_own_host
from app.web.services import services
from app.web.sessions import Caller, session_id

blueprint = Blueprint("sharing", __name__)


class Sharing:
    """The short links of this server, and how many of them a caller may make."""

    def __init__(self, database: Database, config: Config) -> None:
        self.links = Links(Programs(database))
        self._session = Rate(config.session_links_a_minute)
        self._address = Rate(config.address_links_a_minute)

    def admit(self, caller: Caller) -> None:
        """Count one link. Raises :class:`ApiError` (429)."""
        # A session is had for the asking: those who come with ever new ones share what their address may.
        wait = self._session.take(caller.session) if caller.session else 0
        if wait := wait or self._address.take(caller.address):
            raise ApiError(
                429,
                "Many short links were made here within a minute.",
                f"Try again in {wait} s, or copy the link that holds the whole program.",
                retry_after=wait,
            )


@blueprint.post("/api/links")
def create() -> Response:
    """Store a program and a place for whoever has the link: 201 with its addresses."""
    found = services()
    wanted = sharing.read(submission.read_object(request), found.config.max_source_bytes)
    caller = Caller.now()
    session_id()
    found.sharing.admit(caller)
    id = found.sharing.links.put(wanted)
    response = jsonify(id=id, links=_addresses(id), reachable=is_reachable())
    response.status_code = 201
    response.headers["Location"] = f"/api/links/{id}"
    return response


@blueprint.get("/api/links/<id>")
def show(id: str) -> dict[str, Any]:
    """What is behind a short link."""
    return _find(id).document()


@blueprint.get("/s/<id>")
def short(id: str) -> str | Answer:
    """The player with the program of a short link on the desk, not run."""
    _find(id)
    if id != id.lower():
        return redirect(f"/s/{id.lower()}")
    return page("play.html", oembed=oembed_address(f"/s/{id}"))


@blueprint.get("/s/<id>/qr.svg")
def code(id: str) -> Response:
    """The QR code of a short link's address."""
    _find(id)
    return Response(sharing.qr_svg(f"{public_base()}/s/{id.lower()}"), mimetype="image/svg+xml")


@blueprint.get("/embed")
def embed() -> str:
    """The player alone, for frames in other people's pages."""
    allow_framing()
    wanted = Embed.read(request.args)
    return render_template("embed.html", embed=wanted)


@blueprint.get("/oembed")
def oembed() -> dict[str, Any]:
    """oEmbed (https://oembed.com) for the addresses of programs here."""
    if request.args.get("format", "json") != "json":
        raise ApiError(501, "oEmbed is answered in JSON only.", "Ask with format=json.")
    found = sharing.oembed(
        request.args, f"{public_base()}/", _is_ours, lambda id: services().sharing.links.get(id) is not None
    )
    if found is None:
        raise ApiError(
            404,
            "Nothing at this address can be embedded.",
            "Ask with the address of a short link, or of the player with all that stands behind its #.",
        )
    return found


def _is_ours(host: str) -> bool:
    """Whether the caller, or those whom our links are for, call this server so."""
    return is_own_host(host) or host.lower() == urlsplit(public_base()).netloc


def _addresses(id: str) -> dict[str, str]:
    base = public_base()
    return {"page": f"{base}/s/{id}", "code": f"/s/{id}/qr.svg", "embed": f"{base}/embed?link={id}"}


def _find(id: str) -> Link:
    found = services().sharing.links.get(id)
    if found is None:
        raise ApiError(
            404, "There is no program behind this short link.", "Look at the address again; every letter counts."
        )
    return found


@blueprint.errorhandler(ApiError)
def _problem(problem: ApiError) -> Response:
    """People who open an address read a sentence, programs read JSON."""
    if not request.path.startswith(("/s/", "/embed")):
        return problem.response()
    return Response(f"{problem.message}\n{problem.hint}\n", problem.status, mimetype="text/plain")


@blueprint.errorhandler(LinkError)
def _bad_link(problem: LinkError) -> Response:
    return _problem(ApiError(422, problem.message, problem.hint))


@blueprint.errorhandler(StoreError)
def _store_away(problem: StoreError) -> Response:
    status = 507 if isinstance(problem, FullError) else 503
    hint = "Copy the link that holds the whole program instead: it needs nothing stored."
    return _problem(ApiError(status, str(problem), hint, retry_after=10 if status == 503 else None))
