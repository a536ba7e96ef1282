"""What can be set about the server, and where the settings come from."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.classroom.relay import read_address
from app.runner import Limits
from app.store import default_url


class ConfigError(Exception):
    """A setting that cannot be used: says which one, and what would do."""


@dataclass(frozen=True)
class Config:
    """All sizes are bytes, all times seconds.

    >>> Config(port=5001).port
    5001
    """

    host: str = "127.0.0.1"
    port: int = 5000
    hosts: tuple[str, ...] = ()
    """Further names under which a browser may call a server that listens on loopback (behind a proxy, say)."""
    limits: Limits = field(default_factory=Limits)
    max_seconds: float = 30
    """The longest deadline that a run may ask for."""
    max_source_bytes: int = 100_000
    max_stdin_bytes: int = 100_000
    max_files_bytes: int = 4 << 20
    """What the files beside a program, handed in with it, may hold in all."""
    max_trace_bytes: int = 64 << 20
    layout_seconds: float = 30
    """How long checking a trace and laying its graphs out may take together."""
    session_runs: int = 3
    """Runs of one browser session that wait or run at the same time: one runs, the others wait."""
    session_runs_a_minute: int = 30
    address_runs: int = 32
    """The same for all clients of one address together that send no session cookie."""
    address_runs_a_minute: int = 240
    session_links_a_minute: int = 20
    """Short links that one browser session may make."""
    address_links_a_minute: int = 300
    """The same for everybody at one address: a classroom shares one."""
    session_requests_a_minute: int = 1200
    """Requests of any kind of one browser session: a page that is opened, followed and reloaded makes a hundred."""
    address_requests_a_minute: int = 30_000
    """The same for all clients of one address without a session: a class that opens the page at once."""
    queue: int = 400
    """Runs of everybody that wait or run; beyond it the server says that it is full."""
    waiters: int = 64
    """Requests with ``wait`` that may stand open at once."""
    streams: int = 640
    """Event streams that may stand open at once: a class of 500, and the runs of others."""
    kept_runs: int = 500
    kept_bytes: int = 256 << 20
    kept_seconds: float = 3600
    heartbeat: float = 5
    """How often a quiet stream says that it is there, which is how a client that has gone is noticed."""
    header_seconds: float = 20
    """How long a client may take to send the head of a request; 15 times that for the whole."""
    alone_seconds: float = 10
    """How long a run goes on that somebody followed and nobody does any longer."""
    database_url: str = "sqlite://"
    """What outlives a request stands there; this one is gone with the process."""
    redis_url: str = ""
    """Where several web processes tell each other what happened in a class; "" for one process."""
    relay: str = ""
    """The address of the instance at which classes are opened, for where no phone reaches this one."""
    record_examples: bool = True
    """Record every example in the background when the server starts."""
    process: str = ""
    """Which of several web processes this is; the ids of its runs begin with it. "" for one alone."""
    proxies: int = 0
    """Reverse proxies in front of the server, whose word on the caller's address and on TLS is taken."""
    metrics_token: str = field(default="", repr=False)
    """Who has it may read ``/metrics`` from elsewhere; "" for nobody."""
    secret_key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def from_environment(self, environ: Mapping[str, str] = os.environ) -> Config:
        """This configuration with ``HOST``, ``PORT``, ``STEPGRAPH_HOSTS`` (names with commas between),
        ``STEPGRAPH_STREAMS``, ``STEPGRAPH_PROXIES``, ``STEPGRAPH_METRICS_TOKEN``, ``STEPGRAPH_RELAY`` and
        ``REDIS_URL`` where they are set, and the database that ``DATABASE_URL`` or ``STEPGRAPH_DATA`` names. The key
        for sessions is :func:`app.web.secretkey.session_key`.

        Raises :class:`ConfigError`.

        >>> Config().from_environment({"PORT": "5001"}).port
        5001
        """
        names = tuple(name.strip().lower() for name in environ.get("STEPGRAPH_HOSTS", "").split(",") if name.strip())
        return replace(
            self,
            host=environ.get("HOST") or self.host,
            port=read_port(environ["PORT"]) if environ.get("PORT") else self.port,
            hosts=names or self.hosts,
            streams=_setting(environ, "STEPGRAPH_STREAMS", 1, 10_000, self.streams),
            proxies=_setting(environ, "STEPGRAPH_PROXIES", 0, 9, self.proxies),
            metrics_token=environ.get("STEPGRAPH_METRICS_TOKEN") or self.metrics_token,
            database_url=default_url(environ),
            redis_url=environ.get("REDIS_URL") or self.redis_url,
            relay=read_relay(environ.get("STEPGRAPH_RELAY") or self.relay),
        )


def read_relay(text: str) -> str:
    """The address of a relay, "" for none. Raises :class:`ConfigError`."""
    try:
        return read_address(text) if text else ""
    except ValueError as error:
        raise ConfigError(str(error)) from None


def read_port(text: str) -> int:
    """A port number from text. Raises :class:`ConfigError`.

    >>> read_port("99999")
    Traceback (most recent call last):
    app.web.config.ConfigError: '99999' is no port: use a whole number from 1 to 65535, for example PORT=5001.
    """
    port = read_number(text, 0, 65535)
    if port is None:
        raise ConfigError(f"{text!r} is no port: use a whole number from 1 to 65535, for example PORT=5001.")
    return port


def read_number(text: str, least: int, most: int) -> int | None:
    """A whole number of a few digits within these bounds; None if ``text`` is none.

    >>> read_number("7", 1, 9), read_number("0", 1, 9), read_number("-3", -9, 9), read_number("9" * 9999, 1, 9)
    (7, None, None, None)
    """
    fits = text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most
    return int(text) if fits else None


def _setting(environ: Mapping[str, str], name: str, least: int, most: int, default: int) -> int:
    text = environ.get(name, "")
    if not text:
        return default
    number = read_number(text, least, most)
    if number is None:
        raise ConfigError(f"{name}={text!r} does not do: use a whole number from {least} to {most}.")
    return number
