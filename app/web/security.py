"""Who may call, and what the page may do: host names, cross-site requests, response headers.

A server on loopback is reachable from every page that the user's browser has open. So the ``Host`` header must name
this machine (against DNS rebinding), and what changes anything must be JSON from the same site (against forged forms).
"""

from __future__ import annotations

import ipaddress
import secrets

from flask import Flask, Response, g, request

from app.rates import Flow
from app.web.config import Config
from app.web.errors import ApiError
from app.web.services import services
from app.web.sessions import Caller, network

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether ``host`` is an address that only this machine reaches.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def host_name(header: str) -> str:
    """The name in a ``Host`` header, without its port.

    >>> host_name("LocalHost:5000"), host_name("[::1]:5000"), host_name("evil.example")
    ('localhost', '::1', 'evil.example')
    """
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower().rstrip(".")


def _check_host() -> None:
    config = services().config
    header = request.headers.get("Host", "")
    if not header or not is_loopback(config.host):
        return
    if host_name(header) not in LOOPBACK_NAMES | {config.host.lower(), *config.hosts}:
        raise ApiError(
            403,
            "This server answers only under the names of this machine.",
            f"Open http://127.0.0.1:{config.port}/ instead, or start the server with the name in STEPGRAPH_HOSTS.",
        )


def _check_site() -> None:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if site not in ("same-origin", "none") or not _is_own_origin(request.headers.get("Origin")):
        raise ApiError(403, "Another site sent this request.", "Send it from the page of this server itself.")


def _is_own_origin(origin: str | None) -> bool:
    """Whether a request with this ``Origin`` header comes from our own page, or from no page (a script sends none)."""
    if origin is None:
        return True
    scheme, _, host = origin.lower().partition("://")
    if scheme not in ("http", "https"):  # "null" among them: a sandboxed frame, a file
        return False
    return is_own_host(host)


def is_own_host(host: str) -> bool:
    """Whether ``host``, with its port, is what the caller calls this server."""
    # A proxy may call us by another name than the browser calls the proxy.
    return host.lower() == request.host.lower() or host_name(host) in services().config.hosts


def allow_framing() -> None:
    """Let pages of other sites show this response in a frame: for pages where nothing of the reader's is at hand."""
    g.framed = True


class Flows:
    """How fast everybody may ask (docs/decisions/0010-request-rates.md)."""

    def __init__(self, config: Config) -> None:
        self._sessions, self._addresses = (
            Flow(burst=most, a_second=most / 60)
            for most in (config.session_requests_a_minute, config.address_requests_a_minute)
        )

    def check(self) -> None:
        """Count this request. Raises :class:`ApiError` (429)."""
        if request.path.startswith("/static/"):  # who asks is not looked at: caches may answer for us
            wait = self._addresses.take(network(request.remote_addr or ""))
        else:
            wait = self._by_caller()
        if wait:
            raise ApiError(429, "Too many requests came from here.", f"Try again in {wait} s.", retry_after=wait)

    def _by_caller(self) -> int:
        caller = Caller.now()
        return self._sessions.take(caller.session) if caller.session else self._addresses.take(caller.address)


def style_nonce() -> str:
    """The nonce of this response: CodeMirror puts its styles into a ``style`` element, which must carry it."""
    if "style_nonce" not in g:
        g.style_nonce = secrets.token_urlsafe(16)
    nonce: str = g.style_nonce
    return nonce


def _add_headers(response: Response) -> Response:
    styles = f"'self' 'nonce-{g.style_nonce}'" if "style_nonce" in g else "'self'"
    framed = g.get("framed", False)
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": styles,
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'self'",
        "form-action": "'none'",
    }
    if framed:  # not `*`: that leaves out books opened as files and the web views of editors
        del policy["frame-ancestors"]
    response.headers["Content-Security-Policy"] = "; ".join(f"{name} {value}" for name, value in policy.items())
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin" if framed else "same-origin"
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def register(app: Flask, config: Config) -> None:
    """Check every request to ``app`` and put the headers on every response."""
    app.before_request(_check_host)
    app.before_request(_check_site)
    app.before_request(Flows(config).check)
    app.after_request(_add_headers)
    app.add_template_global(style_nonce)
