"""``stepgraph serve``."""

from __future__ import annotations

import argparse
import logging
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
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    from app.store.address import data_folder
    from app.web.config import Config, ConfigError, read_port
    from app.web.secretkey import kept_key
    from app.web.server import ServeError, serve

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        config = replace(Config(), secret_key=kept_key(data_folder())).from_environment()
        if options.host is not None:
            config = replace(config, host=options.host)
        if options.port is not None:
            config = replace(config, port=read_port(options.port))
        return serve(config)
    except (ConfigError, ServeError) as error:
        raise CommandError(str(error)) from None
