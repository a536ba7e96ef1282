"""``stepgraph serve``."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import Any

from app.cli.errors import CommandError


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "serve",
        help="serve the page",
        description="Serve the page. HOST and PORT in the environment do what --host and --port do.",
        allow_abbrev=False,
    )
    parser.add_argument("--host", metavar="HOST", help="the address to listen on (127.0.0.1: this machine only)")
    parser.add_argument("--port", metavar="PORT", help="the port to listen on (5000)")
    parser.add_argument("--processes", metavar="N", help="web processes, under gunicorn; needs REDIS_URL (1)")
    parser.add_argument("--relay", metavar="URL", help="another instance, which keeps the classes opened here")
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    from app.bus import BusError
    from app.store import StoreError
    from app.web import logs
    from app.web.config import Config, ConfigError, read_port, read_relay
    from app.web.secretkey import session_key
    from app.web.server import ServeError, serve

    try:
        logs.configure(os.environ)
        config = replace(Config().from_environment(), secret_key=session_key())
        if options.host is not None:
            config = replace(config, host=options.host)
        if options.port is not None:
            config = replace(config, port=read_port(options.port))
        if options.relay is not None:
            config = replace(config, relay=read_relay(options.relay))
        if options.processes is None:
            return serve(config)
        if config.relay:
            raise ConfigError("classes at a relay are followed by one process: leave out --processes, or the relay")
        from app.web.processes import read_processes, serve_processes

        return serve_processes(config, read_processes(options.processes))
    except (ConfigError, ServeError, StoreError, BusError) as error:
        raise CommandError(str(error)) from None
