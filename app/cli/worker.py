"""``stepgraph worker``: one machine's share of the programs that web processes hand in (docs/deploy.md)."""

from __future__ import annotations

import argparse
import os
import signal
import threading
from typing import Any

from app.cli.errors import CommandError

_GRACE = 60.0
"""Seconds that programs under way get when the worker is to end: more than the longest deadline."""


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "worker",
        help="run the programs that web processes elsewhere take in",
        description="Run the programs that web processes elsewhere take in. REDIS_URL says where they meet. SIGTERM or "
        "Ctrl-C ends it once what is under way is done.",
        allow_abbrev=False,
    )
    parser.add_argument("--slots", metavar="N", help="programs at a time (one for each processor)")
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    from app.documents import Finisher
    from app.runner import Runner
    from app.runner.backend import BackendError
    from app.web import logs
    from app.web.config import Config, ConfigError, read_number

    slots = os.cpu_count() or 1 if options.slots is None else read_number(options.slots, 1, 256)
    if slots is None:
        raise CommandError(f"{options.slots!r} slots: use a whole number from 1 to 256, about one for each processor.")
    try:
        logs.configure(os.environ)
        config = Config().from_environment()
    except ConfigError as error:
        raise CommandError(str(error)) from None
    if not config.redis_url:
        raise CommandError("a worker and the web processes meet in Redis: REDIS_URL=redis://HOST/0 stepgraph worker")
    try:
        import redis

        from app.bus import BusError
        from app.cluster.worker import Worker
    except ModuleNotFoundError:
        raise CommandError("a worker needs the task queue: pip install 'stepgraph[scale]'") from None

    runner = Runner(workers=slots, spares=min(slots, 4))
    finisher = Finisher(workers=slots, seconds=config.layout_seconds)
    try:
        isolation = runner.isolation()
        if not isolation.isolated:
            raise CommandError(f"{isolation.text} A worker takes programs from anybody: stepgraph doctor says more")
        worker = Worker(runner, finisher, config.redis_url, slots=slots, max_trace_bytes=config.max_trace_bytes)
        ending = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda signum, frame: ending.set())
        try:
            worker.start()
        except redis.RedisError as error:
            raise CommandError(f"Redis cannot be reached ({error}): is REDIS_URL right?") from None
        print(f"Worker {worker.name} runs {slots} programs at a time.", flush=True)
        print(isolation.text, flush=True)
        ending.wait()
        print("Taking no more; what is under way is being done.", flush=True)
        worker.stop(_GRACE)
    except (BackendError, BusError) as error:
        raise CommandError(str(error)) from None
    finally:
        runner.close()
        finisher.close()
    return 0
