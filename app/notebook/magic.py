"""The cell magic ``%%stepgraph``: the cell is a program of its own, and the player appears under it.

What the cell does happens in the sandbox of ``stepgraph run``, not in the kernel: it sees no variable of the notebook
and changes none.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class

from ..guest import HEIGHT, GuestError, export, frame


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"%%stepgraph: {message}. {self.format_usage().strip()}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="%%stepgraph", add_help=False, allow_abbrev=False)
    parser.add_argument("--at", metavar="MOMENT", default="start", help="where the player opens")
    parser.add_argument("--height", metavar="PIXELS", type=int, default=HEIGHT)
    parser.add_argument("--seconds", metavar="S", type=float, help="the program's deadline (10)")
    parser.add_argument("--name", metavar="NAME", default="cell.py", help="what tracebacks call the program")
    parser.add_argument("--with", metavar="PATH", dest="beside", type=Path, action="append", default=[])
    return parser


@magics_class
class StepgraphMagics(Magics):
    """Adds ``%%stepgraph``."""

    @cell_magic
    def stepgraph(self, line: str, cell: str) -> None:
        """Run the cell in Stepgraph's sandbox and show its recording.

        %%stepgraph [--at MOMENT] [--height PIXELS] [--seconds S] [--name NAME] [--with PATH]

        MOMENT is start, end, error, the number of a step, or '{line: loss.backward(), pass: 2}' as in lessons.
        --with puts a file or folder beside the program; the cell sees none of the notebook's variables.
        """
        try:
            options = _parser().parse_args(shlex.split(line))
        except ValueError as error:
            raise UsageError(f"%%stepgraph: {error}") from None
        if not 100 <= options.height <= 10_000:
            raise UsageError("%%stepgraph: --height is from 100 to 10000 pixels")
        try:
            recorded = export(
                cell, options.name, at=options.at, seconds=options.seconds, beside=options.beside, say=sys.stdout.write
            )
        except GuestError as error:
            raise UsageError(f"%%stepgraph: {error}") from None
        if recorded.errors:
            sys.stderr.write(recorded.errors)
        title = f"A recording of {options.name}"
        data: dict[str, Any] = {"text/html": frame(recorded.page, title, options.height), "text/plain": title}
        if recorded.picture is not None:
            data["image/png"] = b64encode(recorded.picture).decode("ascii")  # for print: nbconvert's PDF takes it
        assert self.shell is not None
        self.shell.display_pub.publish(data)


def load(shell: Any) -> None:
    """Register the magic with an IPython shell."""
    shell.register_magics(StepgraphMagics)


def unload(shell: Any) -> None:
    """Take the magic away again."""
    shell.magics_manager.magics["cell"].pop("stepgraph", None)
