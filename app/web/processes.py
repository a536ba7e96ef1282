"""``stepgraph serve --processes N``: the application in several processes under gunicorn (docs/deploy.md).

Sessions are signed with one key, classes stand in the store and are told over the bus, and each process has a runner of
its own, so whichever answers, the answer is the same.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from app.bus import BusError
from app.runner import Runner
from app.store import StoreError
from app.web import create_app, logs
from app.web.config import Config, ConfigError, read_number
from app.web.neighbours import Neighbours
from app.web.server import ANSWERING, ServeError, address, allow_open_files, check_isolation

_COUNTED = "PROMETHEUS_MULTIPROC_DIR"
_CANNOT_LOAD = 4
"""The status of a process that cannot start, on which gunicorn does not try another."""
_GRACE = 20
"""Seconds that answers under way get when a process ends."""


def serve_processes(config: Config, processes: int) -> int:
    """Serve until Ctrl-C or SIGTERM; SIGHUP replaces the processes one after the other. Raises
    :class:`ServeError`."""
    if not config.redis_url:
        raise ServeError(
            "several processes tell each other what happens in a class through Redis: REDIS_URL=redis://127.0.0.1/0"
        )
    try:
        from gunicorn.app.base import BaseApplication
    except ModuleNotFoundError:
        raise ServeError("several processes need gunicorn: pip install 'stepgraph[scale]'") from None

    class Application(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            for name, value in _settings(config, processes).items():
                self.cfg.set(name, value)

        def load(self) -> Neighbours:
            """The application of one process; in the folder it finds the others."""
            name = secrets.token_hex(4)
            runner = Runner()
            try:
                check_isolation(runner, config)
                app = create_app(replace(config, process=name), runner=runner)
            except (ServeError, StoreError, BusError) as error:
                print(error, file=sys.stderr)
                raise SystemExit(_CANNOT_LOAD) from None
            self.services = app.extensions["stepgraph"]
            neighbours = Neighbours(app, name, Path(folder), config.streams + ANSWERING)
            self.services.elsewhere = neighbours.document
            return neighbours

    folder = tempfile.mkdtemp(prefix="stepgraph-")
    os.environ[_COUNTED] = folder  # read when prometheus-client is loaded, which each process does
    allow_open_files()
    print(
        f"Stepgraph is at http://{address(config.host, config.port)}/ in {processes} processes  (Ctrl-C ends it)",
        flush=True,
    )
    first = os.getpid()
    try:
        Application().run()  # ends with SystemExit, in the processes that it forked too
    finally:
        if os.getpid() == first:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


def read_processes(text: str) -> int:
    """A number of processes. Raises :class:`ConfigError`."""
    number = read_number(text, 1, 64)
    if number is None:
        raise ConfigError(f"{text!r} processes: use a whole number from 1 to 64, about one for each core.")
    return number


def _settings(config: Config, processes: int) -> dict[str, Any]:
    threads = config.streams + config.waiters + ANSWERING
    return {
        "bind": f"[{config.host}]:{config.port}" if ":" in config.host else f"{config.host}:{config.port}",
        "workers": processes,
        "worker_class": "gthread",
        "threads": threads,
        "worker_connections": 2 * threads,
        "graceful_timeout": _GRACE,
        "timeout": 60,
        "proc_name": "stepgraph",
        "logconfig_dict": logs.settings(os.environ),
        "control_socket_disable": True,
        "post_worker_init": _end_streams_first,
        "child_exit": _gone,
    }


def _end_streams_first(worker: Any) -> None:
    """A process that is told to end waits for its answers; streams would never be done, so they are ended first. Their
    pages come back by themselves, to a process that goes on."""
    services = worker.app.services

    def ending(before: Callable[[int, FrameType | None], Any]) -> Callable[[int, FrameType | None], None]:
        def end(signum: int, frame: FrameType | None) -> None:
            threading.Thread(target=services.close, name="closing").start()
            before(signum, frame)

        return end

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, ending(before))


def _gone(server: Any, worker: Any) -> None:
    """A process has ended: what it counted stays, what was open in it is not open any longer."""
    try:
        from prometheus_client.multiprocess import mark_process_dead
    except ModuleNotFoundError:
        return
    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
