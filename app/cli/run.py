"""``stepgraph run FILE``: runs a program exactly as the page does."""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.beside import add_beside, read_files
from app.cli.ending import describe_end
from app.cli.errors import CommandError
from app.cli.input import pass_on
from app.cli.left import write_files
from app.cli.output import Output
from app.cli.program import read_program, read_stdin

_OPTIONS_WITH_VALUE = ("--json", "--stdin", "--seconds", "--summary", "--with", "--files-to")
_MAX_SECONDS = 24 * 3600.0
_OUR_FAULT = 70
"""The exit status when not the program but the runner failed (EX_SOFTWARE in sysexits.h)."""

_EPILOG = """
FILE may be - for standard input. Options may stand before or after FILE; every other word after FILE is the program's
(its sys.argv), and so is every word after --. The exit status is the program's own: 0, N after sys.exit(N), 1 after an
uncaught error, 124 when a limit ended it, 2 when it could not be started, 70 when Stepgraph itself failed.
"""


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "run",
        help="run a program as the page does",
        usage="stepgraph run [--json OUT] [--stdin FILE] [--seconds S] [--summary OUT] [--story] [--with PATH] "
        "[--files-to DIR] FILE [ARGS ...]",
        epilog=_EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the trace to OUT")
    parser.add_argument("--stdin", metavar="FILE", type=Path, help="what the program reads, instead of standard input")
    parser.add_argument("--seconds", metavar="S", type=seconds, help="the deadline (10)")
    parser.add_argument("--summary", metavar="OUT", type=Path, help="write one JSON object about the run to OUT")
    parser.add_argument("--story", action="store_true", help="then print what happened, step by step")
    add_beside(parser)
    parser.add_argument(
        "--files-to", metavar="DIR", dest="files_to", type=Path, help="write the files that the program leaves into DIR"
    )
    parser.add_argument("file", metavar="FILE", help="the program")
    parser.set_defaults(perform=perform)


def split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Our own words with FILE as the last, and the program's, so that options may stand behind FILE.

    >>> split(["run", "a.py", "--summary", "out", "--epochs", "3"])
    (['run', '--summary', 'out', '--', 'a.py'], ['--epochs', '3'])
    >>> split(["run", "a.py", "--", "--summary", "out"])
    (['run', '--', 'a.py'], ['--summary', 'out'])
    """
    ours: list[str] = []
    program: list[str] = []
    rest = iter(words[1:])
    for word in rest:
        if word == "--":
            program.extend(rest)
        elif word in _OPTIONS_WITH_VALUE:
            ours.append(word)
            ours.extend(value for value in [next(rest, None)] if value is not None)
        elif (
            word == "--story"
            or word.split("=")[0] in _OPTIONS_WITH_VALUE
            or (not program and word.startswith("-") and word != "-")
        ):
            ours.append(word)
        else:
            program.append(word)
    return [words[0], *ours, *(["--", program[0]] if program else [])], program[1:]


def seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds; use for example --seconds 10")
    return seconds


def perform(options: argparse.Namespace) -> int:
    """Run the program; returns its exit status. Raises :class:`CommandError` when it cannot be started."""
    name, source = read_program(options.file)
    stdin = read_stdin(options.stdin, program=options.file)
    files = read_files(options.file, options.beside)
    for out in (options.json, options.summary):
        check_writable(out)
    from app.runner import Limits, Request, Runner
    from app.runner.backend import BackendError
    from app.runner.launch import wants_packages
    from engine.trace.summary import summary
    from engine.trace.validate import TraceError, validate

    # What the runner has to say is for a log and for `stepgraph doctor`; here standard error is the program's.
    logging.getLogger().addHandler(logging.NullHandler())
    limits = Limits() if options.seconds is None else replace(Limits(), seconds=options.seconds)
    texts = [source, *(data.decode("utf-8", "replace") for name, data in files if name.endswith(".py"))]
    runner = Runner(spares=1, workers=1, packages=wants_packages(*texts))
    try:
        runner.start()
        asks = options.stdin is None and options.file != "-"
        run = runner.submit(
            Request(
                source,
                name=name,
                argv=tuple(options.arguments),
                stdin=stdin,
                interactive=asks,
                patience=math.inf,
                limits=limits,
                files=files,
            )
        )
        if asks:
            pass_on(run)
        output = Output(run)
        output.follow()
        raw = run.trace
        if raw is None:
            print(f"stepgraph: {run.error or 'the run left no recording'}", file=sys.stderr)
            return _OUR_FAULT
        trace = json.loads(raw)
        validate(trace)
        ending = describe_end(trace["end"], limits)
        if ending and sys.stderr.isatty():  # elsewhere standard error is the program's, byte for byte
            output.say(f"stepgraph: {ending}")
        if options.json is not None:
            options.json.write_bytes(raw)
        if options.files_to is not None:
            for problem in write_files(trace, options.files_to):
                output.say(f"stepgraph: {problem}")
        if options.summary is not None:
            options.summary.write_text(json.dumps(summary(trace, len(raw)), indent=2) + "\n", encoding="utf-8")
        if options.story:
            from app.story.show import show

            show(trace)
        return run.exit_status
    except BackendError as error:
        raise CommandError(f"programs cannot be run here: {error} (stepgraph doctor says more)") from None
    except (TraceError, ValueError, RecursionError) as error:
        print(f"stepgraph: the recording is not a valid trace: {error}", file=sys.stderr)
        return _OUR_FAULT
    finally:
        runner.close()


def check_writable(out: Path | None) -> None:
    """Better to say it before the program has run for ten seconds."""
    if out is None:
        return
    try:
        with out.open("ab"):
            pass
    except OSError as error:
        raise CommandError(f"cannot write {out}: {error.strerror}") from None
