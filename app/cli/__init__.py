"""The command ``stepgraph``: serve the page, run a program, show or export a recording, print the schema, look at the
installation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from app import places
from app.cli.errors import CommandError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status.

    >>> main(["--version"])
    Traceback (most recent call last):
    SystemExit: 0
    """
    # Imported here, as Flask and NumPy take a while and not every command needs them.
    from app.cli import doctor, export, lessons, measure, run, schema, serve, show, worker

    parser = argparse.ArgumentParser(
        prog="stepgraph",
        description="Watch ordinary PyTorch and TensorFlow code build and run its graph, step by step.",
    )
    parser.add_argument("--version", action="version", version=f"stepgraph {places.version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (serve, worker, run, measure, show, export, lessons, schema, doctor):
        module.add_to(commands)
    given = list(sys.argv[1:] if arguments is None else arguments)
    program: list[str] = []
    if given[:1] == ["run"]:
        given, program = run.split(given)
    options = parser.parse_args(given)
    options.arguments = program
    try:
        status: int = options.perform(options)
    except CommandError as error:
        print(f"stepgraph: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has gone; say nothing, as other commands do.
        _silence_output()
        return 141
    except KeyboardInterrupt:
        return 130
    return status


def _silence_output() -> None:
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
