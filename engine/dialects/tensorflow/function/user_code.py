"""Errors that a function raises while it is traced: told with the lines of the program, as AutoGraph does."""

from __future__ import annotations

import linecache
import traceback
from types import TracebackType

from engine.dialects.tensorflow.errors import OpError


def is_users(file: str) -> bool:
    """Whether a file is one of the program's."""
    from engine.bridges.function.autograph.convert import _FOREIGN

    return not file.startswith(_FOREIGN) and not file.startswith("<op ") and not file.startswith("<frozen")


def in_user_code(error: Exception) -> Exception:
    """The same error with the place in the program in front of its message."""
    if getattr(error, "_in_user_code", False) or type(error).__init__ is not _plain_init(error):
        return error
    frames = _frames(error.__traceback__)
    place = getattr(error, "_place", None)
    if place is not None:  # a statement further up is to blame
        frames = [place]
    if not frames:
        return error
    lines = ["in user code:", ""]
    for frame in frames:
        mark = "  *"
        lines.append(f'    File "{frame.filename}", line {frame.lineno}, in {frame.name}{mark}')
        source = linecache.getline(frame.filename, frame.lineno or 0).strip() or (frame.line or "").strip()
        lines.append(f"        {source}")
    told = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    lines += ["", f"    {type(error).__name__}: " + told.replace("\n", "\n    "), ""]
    text = "\n".join(lines)
    kind = type(error)
    try:
        made: Exception = _Multiline(text) if kind is KeyError else kind(text)
    except TypeError:
        return error
    made._in_user_code = True  # type: ignore[attr-defined]
    return made.with_traceback(error.__traceback__)


class _Multiline(KeyError):
    """A key error whose message is shown as it is."""

    def __str__(self) -> str:
        return str(self.args[0])


_Multiline.__name__ = _Multiline.__qualname__ = "KeyError"


def _plain_init(error: Exception) -> object:
    """The constructor of exceptions that only take a message; those of others cannot be called with a text."""
    if isinstance(error, OpError):
        return None
    for kind in type(error).__mro__:
        if "__init__" in vars(kind):
            return type(error).__init__ if kind.__module__ == "builtins" else None
    return None


def _frames(trace: TracebackType | None) -> list[traceback.FrameSummary]:
    """The program's own places. Blocks that AutoGraph has made functions of are part of the function around them."""
    found: list[traceback.FrameSummary] = []
    for frame in traceback.extract_tb(trace):
        if not is_users(frame.filename):
            continue
        if frame.name.startswith("ag__") and found:
            frame = traceback.FrameSummary(frame.filename, frame.lineno, found.pop().name, lookup_line=False)
        found.append(frame)
    return found


def here() -> traceback.FrameSummary | None:
    """The place in the program that runs now."""
    found: list[traceback.FrameSummary] = []
    for frame in traceback.extract_stack(limit=40):
        if is_users(frame.filename):
            if frame.name.startswith("ag__") and found:
                frame = traceback.FrameSummary(frame.filename, frame.lineno, found.pop().name, lookup_line=False)
            found.append(frame)
    return found[-1] if found else None
