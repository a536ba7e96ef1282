"""Tracebacks as Python prints them, with the program's own frames only."""

from __future__ import annotations

import os
import traceback
from types import TracebackType

import engine

HOME = os.path.dirname(os.path.abspath(engine.__file__)) + os.sep
PROBES = os.path.join(HOME, "recording") + os.sep


def hidden_frames(tb: TracebackType | None, file: str) -> list[bool]:
    """For each entry of a traceback whether it is hidden.

    Hidden are the engine's own frames and what it called (NumPy, the standard library), until the program's file
    comes again.
    """
    hidden: list[bool] = []
    below = False
    while tb is not None:
        name = tb.tb_frame.f_code.co_filename
        if name in (file, "<string>"):
            below = False
        elif name.startswith(HOME):
            below = True
        hidden.append(below)
        tb = tb.tb_next
    return hidden


def forget_probes(error: BaseException) -> None:
    """Take the frames of a probe off the end of ``error``'s traceback: the stack was full when the probe was called.

    Where it was the probe that enters a call, the call goes too: without probes it would not have begun.
    """
    if not isinstance(error, RecursionError):
        return
    entries: list[TracebackType] = []
    tb = error.__traceback__
    while tb is not None:
        entries.append(tb)
        tb = tb.tb_next
    keep = len(entries)
    while keep and entries[keep - 1].tb_frame.f_code.co_filename.startswith(PROBES):
        keep -= 1
    if not 0 < keep < len(entries):
        return
    if entries[keep].tb_frame.f_code.co_name in ("enter", "enter_generator"):
        keep -= 1
    if keep:
        entries[keep - 1].tb_next = None


def user_traceback(error: BaseException, file: str, *, whole: bool = True) -> str:
    """The text that Python would print for ``error``, without the frames that are not the program's.

    ``whole=False`` is for an error of compiling, which has no stack at all.
    """
    described = traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
    _trim(described, error, file, set())
    if not whole:
        described.stack = None  # type: ignore[assignment]
    return "".join(described.format())


def _trim(described: traceback.TracebackException, error: BaseException, file: str, done: set[int]) -> None:
    if id(error) in done:
        return
    done.add(id(error))
    hidden = hidden_frames(error.__traceback__, file)
    if described.stack is not None and len(hidden) == len(described.stack):
        kept = [frame for frame, hide in zip(described.stack, hidden, strict=True) if not hide]
        described.stack = traceback.StackSummary.from_list(kept)
    cause, context = error.__cause__, error.__context__
    if described.__cause__ is not None and cause is not None:
        _trim(described.__cause__, cause, file, done)
    if described.__context__ is not None and context is not None:
        if _internal(context, file):
            described.__context__ = None
        else:
            _trim(described.__context__, context, file, done)
    inner = getattr(described, "exceptions", None)
    if inner and isinstance(error, BaseExceptionGroup):
        for one, exception in zip(inner, error.exceptions, strict=False):
            _trim(one, exception, file, done)


def _internal(error: BaseException, file: str) -> bool:
    """Whether ``error`` was raised and caught inside the engine: none of the program's frames have seen it."""
    hidden = hidden_frames(error.__traceback__, file)
    return bool(hidden) and all(hidden)


def line_of(error: BaseException, file: str) -> int:
    """The line of the program where ``error`` was raised: of the innermost frame in its file; -1 if there is none."""
    if isinstance(error, SyntaxError) and error.filename == file and error.lineno:
        return error.lineno
    hidden = hidden_frames(error.__traceback__, file)
    line = -1
    tb = error.__traceback__
    for hide in hidden:
        assert tb is not None
        if not hide and tb.tb_frame.f_code.co_filename == file and tb.tb_lineno is not None:
            line = tb.tb_lineno
        tb = tb.tb_next
    return line
