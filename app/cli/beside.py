"""Reading the files that lie beside a program."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.cli.errors import CommandError


def add_beside(parser: argparse.ArgumentParser) -> None:
    """The option ``--with`` of a command that runs a program."""
    parser.add_argument(
        "--with",
        metavar="PATH",
        dest="beside",
        type=Path,
        action="append",
        default=[],
        help="put a file or folder beside the program: data, modules (may be given more than once; 15 MB in all)",
    )


def read_files(program: str, given: Sequence[Path]) -> tuple[tuple[str, bytes], ...]:
    """(name, contents) of the files, and of all files in the folders, that are ``given``.

    A name is relative to the program's folder if the file lies in it; else it is the file's own (in a folder: with
    the folder's). Hidden files and byte code are left out of folders. Raises :class:`CommandError`.
    """
    from app.runner.request import FILES, FILES_BYTES

    home = Path.cwd() if program == "-" else Path(program).absolute().parent
    found: dict[str, bytes] = {}
    left = FILES_BYTES
    for path in given:
        for file in _files(path):
            name = _name(file, path, home)
            try:
                with file.open("rb") as stream:
                    data = stream.read(left + 1)
            except OSError as error:
                raise CommandError(f"cannot read {file}: {error.strerror}") from None
            left -= len(data)
            if left < 0 or len(found) >= FILES:
                raise CommandError(
                    f"{path} is too much: the files beside a program may be {FILES:,}, and hold "
                    f"{FILES_BYTES >> 20} MB in all"
                )
            if found.setdefault(name, data) != data:
                raise CommandError(f"two different files would be {name} beside the program: give only one of them")
    return tuple(found.items())


def _files(path: Path) -> Iterator[Path]:
    try:
        if not path.is_dir():
            yield path
            return
    except ValueError:
        raise CommandError("cannot read a file with a NUL character in its name") from None
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def _name(file: Path, given: Path, home: Path) -> str:
    whole = Path(os.path.abspath(file))
    if whole.is_relative_to(home):
        return whole.relative_to(home).as_posix()
    return whole.relative_to(Path(os.path.abspath(given)).parent).as_posix()
