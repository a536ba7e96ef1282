"""``stepgraph export``: a recording as one HTML page that plays without a server, and as a picture; a course as a
site (:mod:`app.cli.export_course`)."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from app.cli.beside import add_beside
from app.cli.errors import CommandError
from app.cli.run import seconds


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        "export",
        help="save a recording as a page that plays it, or a course as a site",
        description="Run a program (.py, .ipynb, - for standard input), or take a recording that `stepgraph run "
        "--json` has saved, and write one HTML file that plays it in any browser, without a server or a network. "
        "A folder of lessons becomes a static site in DIR.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "file", metavar="FILE", help="the program, the notebook, the recording (.json) or the folder of lessons"
    )
    parser.add_argument("site", metavar="DIR", type=Path, nargs="?", help="where the site of a course is written")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="the page (FILE with .html)")
    parser.add_argument("--seconds", metavar="S", type=seconds, help="the program's deadline (10)")
    parser.add_argument(
        "--at", metavar="MOMENT", default="start",
        help="where the page opens: start, end, error, the number of a step, or as in lessons "
        "'{line: loss.backward(), pass: 2}', '{node: h, event: gradient}', '{phase: backward}', '{prints: text}'",
    )  # fmt: skip
    parser.add_argument(
        "--picture",
        metavar="OUT",
        type=Path,
        help="also draw the graph there (at the end, if the page opens at the start) into OUT (.png, .svg, .pdf)",
    )
    parser.add_argument("--quiet", action="store_true", help="say nothing but what the program says")
    add_beside(parser)
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    """Write the page. Raises :class:`CommandError` when the program cannot be run or the file is no recording."""
    course = Path(options.file)
    if options.site is not None or course.is_dir():
        from app.cli.export_course import export_course

        if options.site is None or not course.is_dir():
            raise CommandError("a course is a folder of lessons and goes into a folder: stepgraph export COURSE DIR")
        return export_course(course, options.site)
    from app import standalone
    from app.documents.document import BadTraceError, finish
    from app.lessons.spoken import MomentError, read, step_at

    kind = options.picture.suffix[1:].lower() if options.picture else standalone.KINDS[0]
    if kind not in standalone.KINDS:
        raise CommandError(f"{options.picture} is no picture: its name ends with .{', .'.join(standalone.KINDS)}")
    out: Path = options.output or Path("stdin.html" if options.file == "-" else f"{Path(options.file).stem}.html")
    try:
        moment = read(options.at)  # before the program runs for ten seconds
        raw, name = _recording(options)
        # The one that was saved may hold a layout already; ours is the one that counts.
        text = finish(raw).text().decode("utf-8")
        trace = json.loads(text)
        step = step_at(moment, trace)
        page = standalone.page(text, f"{name}, recorded with Stepgraph", step)
        _write(out, page.encode("utf-8"))
        if options.picture:
            _write(options.picture, standalone.picture(trace, step or step_at(read("end"), trace), kind))
    except (BadTraceError, MomentError, standalone.NotBuiltError) as problem:
        raise CommandError(str(problem)) from None
    except standalone.NoPictureError as problem:
        raise CommandError(f"{options.picture} is not drawn: {problem}") from None
    if not options.quiet:
        print(f"{out}: {len(page.encode()):,} bytes; open it in a browser")
    return 0


def _write(out: Path, data: bytes) -> None:
    try:
        out.write_bytes(data)
    except OSError as error:
        raise CommandError(f"cannot write {out}: {error.strerror}") from None


def _recording(options: argparse.Namespace) -> tuple[bytes, str]:
    """The trace's text, and the program's name."""
    if options.file.endswith(".json"):
        from app.cli.show import read_trace

        trace = read_trace(options.file)
        trace.pop("layout", None)
        return json.dumps(trace, separators=(",", ":"), allow_nan=False).encode("ascii"), str(trace["program"]["name"])
    from app.cli import run

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
                beside=options.beside,
                files_to=None,
                arguments=[],
            )
        )
        try:
            raw = kept.read_bytes()
        except OSError:
            raw = b""
    if not raw:
        raise CommandError(f"{options.file} left no recording")
    return raw, "stdin" if options.file == "-" else Path(options.file).name
