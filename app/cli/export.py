"""``stepgraph export``: a recording as one HTML page that plays without a server."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from app.cli.errors import CommandError
from app.cli.run import seconds


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "export",
        help="save a recording as a page that plays it",
        description="Run a program (.py, .ipynb), or take a recording that `stepgraph run --json` has saved, and write "
        "one HTML file that plays it in any browser, without a server or a network.",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="the program, the notebook or the recording (.json)")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="the page (FILE with .html)")
    parser.add_argument("--seconds", metavar="S", type=seconds, help="the program's deadline (10)")
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    """Write the page. Raises :class:`CommandError` when the program cannot be run or the file is no recording."""
    from app import standalone
    from app.documents.document import BadTraceError, finish

    out: Path = options.output or Path(Path(options.file).name).with_suffix(".html")
    raw, name = _recording(options)
    try:
        # The one that was saved may hold a layout already; ours is the one that counts.
        text = finish(raw).text().decode("utf-8")
        page = standalone.page(text, f"{name}, recorded with Stepgraph")
        out.write_text(page, encoding="utf-8")
    except (BadTraceError, standalone.NotBuiltError) as problem:
        raise CommandError(str(problem)) from None
    except OSError as error:
        raise CommandError(f"cannot write {out}: {error.strerror}") from None
    print(f"{out}: {len(page.encode()):,} bytes; open it in a browser")
    return 0


def _recording(options: argparse.Namespace) -> tuple[bytes, str]:
    """The trace's text, and the program's name."""
    if options.file.endswith(".json"):
        from app.cli.show import read_trace

        trace = read_trace(options.file)
        trace.pop("layout", None)
        return json.dumps(trace, separators=(",", ":"), allow_nan=False).encode("ascii"), str(trace["program"]["name"])
    import tempfile

    from app.cli import run
    from app.cli.program import read_program

    name, _ = read_program(options.file)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "recording.json"
        run.perform(
            argparse.Namespace(
                file=options.file,
                json=kept,
                stdin=None,
                seconds=options.seconds,
                summary=None,
                story=False,
                beside=[],
                files_to=None,
                arguments=[],
            )
        )
        try:
            return kept.read_bytes(), name
        except OSError:
            raise CommandError(f"{options.file} left no recording") from None
