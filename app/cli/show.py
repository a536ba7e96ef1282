"""``stepgraph show TRACE``: a recording as a story in the terminal."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from app.cli.errors import CommandError

MAX_BYTES = 256 << 20


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "show",
        help="print a recording as a story",
        description="Print a recording that `stepgraph run --json` or the page has saved, step by step.",
        allow_abbrev=False,
    )
    parser.add_argument("--all", action="store_true", help="tell every pass of every loop")
    parser.add_argument("trace", metavar="TRACE", help="the file; - for standard input")
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    """Print the story. Raises :class:`CommandError` when the file is no recording."""
    trace = read_trace(options.trace)
    from app.story.show import show

    show(trace, every_pass=options.all)
    return 0


def read_trace(file: str) -> dict[str, Any]:
    """A valid trace from a file. Raises :class:`CommandError`."""
    from engine.trace.migrate import migrate
    from engine.trace.validate import TraceError, validate

    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if file == "-" else _read(Path(file))
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise CommandError(f"{file} is too long: recordings are at most {MAX_BYTES >> 20} MB")
    try:
        trace: dict[str, Any] = json.loads(data)
        migrate(trace)
        validate(trace)
    except TraceError as error:
        raise CommandError(f"{file} cannot be shown: {error}") from None
    except (ValueError, RecursionError):
        raise CommandError(f"{file} is no recording: save one with stepgraph run --json OUT FILE") from None
    return trace


def _read(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(MAX_BYTES + 1)
