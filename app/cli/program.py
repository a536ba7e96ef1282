"""Reading the program and its input from files, with clear words when that fails."""

from __future__ import annotations

import io
import sys
import tokenize
from pathlib import Path

from app.cli.errors import CommandError
from app.cli.notebook import program_of

MAX_BYTES = 100_000
"""A program's largest size, the same as on the page."""
MAX_INPUT_BYTES = 16 << 20


def read_program(file: str) -> tuple[str, str]:
    """The program's name for tracebacks (the path as it was given) and its source, read as Python reads it: in the
    encoding that a comment in its first two lines names, else UTF-8. Raises :class:`CommandError`."""
    name = "<stdin>" if file == "-" else file
    # A notebook holds its outputs, too; what is run is as long as any program.
    most = MAX_INPUT_BYTES if file.endswith(".ipynb") else MAX_BYTES
    data = _read(file, most, f"cut it down; programs may be {most:,} bytes long")
    source = _decode(data, name, _encoding(data, name))
    if file.endswith(".ipynb"):
        source, notice = program_of(source, name)
        if notice:
            print(f"stepgraph: {notice}", file=sys.stderr)
    if "\0" in source:
        line = source[: source.index("\0")].count("\n") + 1
        raise CommandError(f"{name} holds a NUL character in line {line}: delete it; Python cannot read it")
    return name, source


def read_stdin(file: Path | None, *, program: str) -> str | None:
    """What the program will read from its standard input; None if no file is given. Raises :class:`CommandError`."""
    if file is None:
        return None
    if str(file) == "-" == program:
        raise CommandError("the program and its input cannot both come from standard input: give one of them a file")
    return _decode(_read(str(file), MAX_INPUT_BYTES, f"inputs may be {MAX_INPUT_BYTES:,} bytes long"), str(file))


def _read(file: str, most: int, hint: str) -> bytes:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with open(file, "rb") as stream:
                data = stream.read(most + 1)
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}") from None
    except ValueError:
        raise CommandError("cannot read a file with a NUL character in its name") from None
    if len(data) > most:
        raise CommandError(f"{file} is too long: {hint}")
    return data


def _encoding(data: bytes, name: str) -> str:
    """The encoding that a program declares by PEP 263 or by a byte order mark."""
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as error:
        if "unknown" in str(error) or "problem" in str(error):
            raise CommandError(f"{name} declares an encoding that cannot be used: {error.msg}") from None
        return "utf-8"  # its first lines are not even that: decoding says in which line


def _decode(data: bytes, name: str, encoding: str = "utf-8-sig") -> str:
    label = "UTF-8" if encoding in ("utf-8", "utf-8-sig") else encoding
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CommandError(f"{name} is not {label} (line {line}): save it in that encoding") from None
    except (LookupError, ValueError) as error:  # a codec that is none of text
        raise CommandError(f"{name} declares an encoding that cannot be used: {error}") from None
    # What Python does with a file: every kind of line end is one newline.
    return io.IncrementalNewlineDecoder(None, translate=True).decode(text, final=True)
