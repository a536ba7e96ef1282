"""The example programs: files under ``lessons/examples``, each with a header that says what it is.

A file begins with comments ``# title: …``, ``# group: …`` and ``# note: …``; the program proper starts after the blank
line that follows them. The number at the front of the file's name gives the order, the rest the example's id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from app import places

_HEADER = re.compile(r"# (title|group|note): (.+)")


class ExampleError(Exception):
    """A file under ``lessons/examples`` that is not as it should be: names the file and what is missing."""


@dataclass(frozen=True)
class Example:
    """One example: ``source`` is the program without its header, ``file`` the whole file."""

    id: str
    title: str
    group: str
    note: str
    name: str
    source: str
    file: Path


def parse(file: Path) -> Example:
    """Read one file. Raises :class:`ExampleError` when a line of the header is missing."""
    head, _, source = file.read_text(encoding="utf-8").partition("\n\n")
    lines = [_HEADER.fullmatch(line) for line in head.splitlines()]
    header = {match[1]: match[2].strip() for match in lines if match}
    missing = [key for key in ("title", "group", "note") if key not in header]
    if missing or None in lines:
        what = f"lacks {', '.join(missing)}" if missing else "has a line that is none of title, group, note"
        raise ExampleError(f"{file.name}: the header {what}. Begin with '# title: …' and so on, then a blank line.")
    words = re.sub(r"^\d+_", "", file.stem)
    return Example(
        words.replace("_", "-"), header["title"], header["group"], header["note"], f"{words}.py", source, file
    )


def load(folder: Path | None = None) -> tuple[Example, ...]:
    """Every example, in the order of the file names.

    >>> [example.group for example in load()][:1]
    ['PyTorch']
    """
    return tuple(parse(file) for file in sorted((folder or places.examples_folder()).glob("[0-9]*.py")))
