"""``stepgraph serve``: waitress around the application. Why waitress: docs/decisions/0002-server.md."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import waitress
from flask import Flask

from app.runner import Runner
from app.runner.backend import BackendError
from app.runner.isolation import Isolation
from app.web import create_app
from app.web.config import Config
from app.web.patience import Patience
from app.web.security import is_loopback
from app.web.services import Services

ANSWERING = 32
"""Threads beside those that streams and waiting requests occupy."""
_TAKEN = (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", errno.EADDRINUSE))
_OPEN_FILES = 4096
_OWN_FILES = 500
"""Open files for what is no connection: pipes and journals of programs that run or wait for input."""


class ServeError(Exception):
    """The server cannot start: says why, and what to do."""


def listen(config: Config) -> socket.socket:
    """A bound socket. Raises :class:`ServeError` when the address cannot be had."""
    try:
        found = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        raise ServeError(f"there is no address {config.host!r}: HOST=127.0.0.1 serves this machine only") from None
    # `localhost` is both ::1 and 127.0.0.1; the page is announced under the latter.
    family, kind, protocol, _, address = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    bound = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        else:
            # Elsewhere "reuse" would let two servers share a port without a word.
            bound.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", 0), 1)
        bound.bind(address)
    except OSError as error:
        bound.close()
        raise ServeError(_why(config, error)) from None
    return bound


def _why(config: Config, error: OSError) -> str:
    other = config.port + 1 if config.port < 65535 else 5001
    if isinstance(error, PermissionError):
        return f"port {config.port} needs special rights: PORT=5001 make run"
    if error.errno in _TAKEN:
        return f"port {config.port} is taken: PORT={other} make run (or stepgraph serve --port {other})"
    return f"cannot listen on {config.host}:{config.port} ({error.strerror}): HOST=127.0.0.1 serves this machine only"


def serve(config: Config) -> int:
    """Serve until Ctrl-C or SIGTERM; returns the exit status. Raises :class:`ServeError`."""
    bound = listen(config)
    runner = Runner()
    with contextlib.closing(runner), contextlib.closing(bound):
        isolation = check_isolation(runner, config)
        files = allow_open_files()
        app = create_app(config, runner=runner)
        server = _waitress(app, bound, config, files)
        # Waitress warns when requests wait for a thread; with streams that is ordinary.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        with _ending_signals(app.extensions["stepgraph"]):
            print(
                f"Stepgraph is at http://{address(config.host, bound.getsockname()[1])}/  (Ctrl-C ends it)", flush=True
            )
            if config.relay:
                print(f"Classes are opened at {config.relay}.", flush=True)
            print(isolation.text, flush=True)
            for missing in isolation.missing:
                print(f"  lacks {missing}", flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                server.run()
            server.close()
    print("Stepgraph has ended.", file=sys.stderr)
    return 0


def check_isolation(runner: Runner, config: Config) -> Isolation:
    """What stands between programs and this machine. Raises :class:`ServeError` where that is not enough for the
    address that ``config`` listens on."""
    try:
        isolation = runner.isolation()
    except BackendError as error:
        raise ServeError(f"programs cannot be run here: {error} (stepgraph doctor says more)") from None
    if not isolation.isolated and not is_loopback(config.host):
        raise ServeError(
            f"{isolation.text} So the server does not listen beyond this machine: HOST=127.0.0.1 make run"
            + "".join(f"\n  lacks {missing}" for missing in isolation.missing)
        )
    return isolation


def _waitress(app: Flask, bound: socket.socket, config: Config, files: int = _OPEN_FILES) -> Any:
    """The server, which never takes so many connections that none of ``files`` is left to run programs with: those
    beyond wait in the system's queue."""
    try:
        server = waitress.create_server(
            app,
            sockets=[bound],
            threads=config.streams + config.waiters + ANSWERING,
            connection_limit=min(2 * (config.streams + config.waiters) + 200, files - min(_OWN_FILES, files // 2)),
            asyncore_use_poll=True,
            # Waitress takes what proxies say away, unless there are some.
            clear_untrusted_proxy_headers=not config.proxies,
            # Above the application's own limit, so that it is the application that answers, in JSON.
            max_request_body_size=16 << 20,
            ident="stepgraph",
            channel_timeout=60,
            cleanup_interval=5,
        )
    except RuntimeError:
        raise ServeError(
            f"the system allows fewer threads than {config.streams} open streams need: STEPGRAPH_STREAMS=50 make run"
        ) from None
    Patience(config.header_seconds).watch(server)
    return server


def address(host: str, port: int) -> str:
    """What to type into a browser: never ``0.0.0.0``.

    >>> address("127.0.0.1", 5000), address("::1", 5000)
    ('127.0.0.1:5000', '[::1]:5000')
    """
    if host in ("0.0.0.0", "::", ""):
        host = socket.gethostname()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@contextlib.contextmanager
def _ending_signals(services: Services) -> Iterator[None]:
    """SIGTERM ends the server as Ctrl-C does; so does SIGINT where a shell started us with it ignored.

    The runs are stopped first, in a thread of its own: that wakes the streams, and waitress, which waits for its
    threads, is done at once. A second Ctrl-C changes nothing, so that no child is left behind.
    """

    def end(signum: int, frame: FrameType | None) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        threading.Thread(target=services.close, name="closing").start()
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        services.close()
        for number, handler in before.items():
            signal.signal(number, handler)


def allow_open_files() -> int:
    """A stream is an open file, and some systems allow a process only 256 until it asks for more. How many there may
    be."""
    if sys.platform == "win32":
        return _OPEN_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return _OPEN_FILES if soft == resource.RLIM_INFINITY else soft
