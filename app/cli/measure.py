"""``stepgraph measure FILE``: how long a program takes when nobody records it."""

from __future__ import annotations

import argparse
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.beside import add_beside, read_files
from app.cli.errors import CommandError
from app.cli.program import read_program, read_stdin
from app.cli.run import check_writable, seconds


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "measure",
        help="run a program several times without the recorder, and time it",
        description="Run a program several times without the recorder, each time in a fresh process of the sandbox, "
        "and print median and spread. What the program prints is not shown.",
        allow_abbrev=False,
    )
    parser.add_argument("--repeats", metavar="N", type=int, default=7, help="how many runs count (7)")
    parser.add_argument("--line", metavar="N", type=int, default=0, help="also time the def, loop or statement there")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the measurement to OUT (docs/measurement.md)")
    parser.add_argument("--stdin", metavar="FILE", type=Path, help="what the program reads (nothing)")
    parser.add_argument("--seconds", metavar="S", type=seconds, help="the deadline of each run (10)")
    add_beside(parser)
    parser.add_argument("file", metavar="FILE", help="the program; - for standard input")
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    """Measure the program; 0, also when the program fails. Raises :class:`CommandError` when it cannot be started."""
    name, source = read_program(options.file)
    stdin = read_stdin(options.stdin, program=options.file)
    files = read_files(options.file, options.beside)
    check_writable(options.json)
    from app.runner import Limits, Measure, Request, Runner
    from app.runner.backend import BackendError
    from app.story.measurement import show

    logging.getLogger().addHandler(logging.NullHandler())
    limits = Limits() if options.seconds is None else replace(Limits(), seconds=options.seconds)
    try:
        # As long as all repeats may take: whoever waits at a terminal can end it.
        measure = Measure(options.repeats, options.line, seconds=(options.repeats + 2) * (limits.seconds + 5))
    except ValueError as error:
        raise CommandError(str(error)) from None
    runner = Runner(spares=1, workers=1)
    try:
        runner.start()
        run = runner.measure(Request(source, name=name, stdin=stdin, limits=limits, files=files), measure)
        run.wait()
        if run.trace is None:
            raise CommandError(run.error or "nothing was measured")
        if options.json is not None:
            options.json.write_bytes(run.trace + b"\n")
        show(json.loads(run.trace))
        return 0
    except BackendError as error:
        raise CommandError(f"programs cannot be run here: {error} (stepgraph doctor says more)") from None
    finally:
        runner.close()
