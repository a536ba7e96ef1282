"""Runs ``stepgraph export`` in a process of its own, and hands over what it says and writes."""

from __future__ import annotations

import codecs
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_COMMAND = Path(__file__).resolve().parents[2]
_OWN = "stepgraph: "
_PIECE = 1 << 16


class GuestError(Exception):
    """The command could not do it: its own words."""


@dataclass(frozen=True)
class Recorded:
    """``page`` plays the recording and needs nothing else; ``picture`` is the graph where it opens, None where there
    is nothing to draw. ``errors`` is what the program wrote to standard error."""

    page: str
    picture: bytes | None
    errors: str


def export(
    content: str,
    name: str,
    *,
    at: str = "start",
    seconds: float | None = None,
    beside: Sequence[Path] = (),
    picture: str = "png",
    say: Callable[[str], object] = lambda text: None,
) -> Recorded:
    """Record the program ``content``, called ``name`` in its tracebacks, or take a recording if ``name`` ends with
    ``.json``. ``say`` gets what the program prints as it comes: text of somebody's program, never markup.

    Raises :class:`GuestError`, when the program could not be run at all; one that fails has a recording as any other.
    """
    if not name or Path(name).name != name or name.startswith("-"):
        raise GuestError(f"{name!r} is no name for a program: use for example cell.py")
    with tempfile.TemporaryDirectory(prefix="stepgraph-") as folder:
        (Path(folder) / name).write_text(content, "utf-8", newline="")
        page, drawn = Path(folder) / "page.html", Path(folder) / f"picture.{picture}"
        words = ["export", name, "--quiet", f"--at={at}", f"--output={page}", f"--picture={drawn}"]
        words += [f"--seconds={seconds}"] if seconds is not None else []
        words += [f"--with={path.absolute()}" for path in beside]
        status, errors = _run(words, folder, say)
        said, _, own = errors.rpartition(_OWN) if status else (errors, "", "")
        # Written before the picture is drawn: of an empty graph there is none.
        if not page.exists():
            raise GuestError(own.strip() or f"the command ended with status {status}: {errors[-2000:].strip()}")
        return Recorded(page.read_text("utf-8"), drawn.read_bytes() if drawn.exists() else None, said)


def _run(words: Sequence[str], folder: str, say: Callable[[str], object]) -> tuple[int, str]:
    # The file itself, not -m: it puts its own folder first on the path and none of the user's.
    own = next(path for path in (_COMMAND / "stepgraph.py", _COMMAND / "__init__.py") if path.is_file())
    process = subprocess.Popen(
        [sys.executable, str(own), *words], cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    errors: list[str] = []
    reader = threading.Thread(target=_pass_on, args=(process.stderr, errors.append), daemon=True)
    reader.start()
    try:
        _pass_on(process.stdout, say)
        status = process.wait()
    finally:  # the user interrupts the cell: then so is its program
        process.kill()
        process.wait()
        reader.join(5)
        process.stdout.close()
        process.stderr.close()
    return status, "".join(errors)


def _pass_on(pipe: IO[bytes], say: Callable[[str], object]) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while data := pipe.read1(_PIECE):  # type: ignore[attr-defined]
        say(decoder.decode(data))
