"""Tracebacks as Python prints them, with the program's own frames only."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any

import numpy

import engine

HOME = os.path.dirname(os.path.abspath(engine.__file__)) + os.sep
PROBES = os.path.join(HOME, "recording") + os.sep
_FOLDERS = [os.path.dirname(str(module.__file__)) for module in (numpy, os)]
LIBRARIES = ("<frozen ", *(path + os.sep for folder in _FOLDERS for path in (folder, os.path.realpath(folder))))
"""Where the names of files that are NumPy's or the standard library's begin: no error is to be looked for there."""


def hidden_frames(tb: TracebackType | None, file: str) -> list[bool]:
    """For each entry of a traceback whether it is hidden.

    Hidden are the frames of the engine, of NumPy and of the standard library, and of what they called, until the
    program's file comes again: a reader can do nothing about them, and their paths are this machine's affair.
    """
    hidden: list[bool] = []
    below = False
    while tb is not None:
        name = tb.tb_frame.f_code.co_filename
        if name in (file, "<string>"):
            below = False
        elif name.startswith((HOME, *LIBRARIES)):
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
    if entries[keep].tb_frame.f_code.co_name in ("enter", "enter_generator", "brief"):
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
        if kept or not hidden:
            described.stack = traceback.StackSummary.from_list(kept)
        else:  # a cause that the program has no part in: no heading over nothing
            described.stack = None  # type: ignore[assignment]
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


# -- what the program itself sees of tracebacks ------------------------------------------------------------------------
def own_walks(file: str) -> dict[str, Callable[..., Any]]:
    """Stand-ins for what ``traceback`` walks stacks with: they leave out the frames that a plain run does not have."""
    walk_tb = traceback.walk_tb
    walk_positions = getattr(traceback, "_walk_tb_with_full_positions", None)

    def shown(tb: Any, walked: Any) -> Iterator[Any]:
        hidden = hidden_frames(tb, file)
        return (entry for entry, hide in zip(walked, hidden, strict=False) if not hide)

    def own_walk_tb(tb: TracebackType | None) -> Iterator[Any]:
        """Walk a traceback yielding the frame and line number for each frame."""
        return shown(tb, walk_tb(tb))

    def own_walk_positions(tb: TracebackType | None) -> Iterator[Any]:
        assert walk_positions is not None
        return shown(tb, walk_positions(tb))

    def own_walk_stack(f: FrameType | None) -> Iterator[tuple[FrameType, int]]:
        """Walk a stack yielding the frame and line number for each frame."""
        frame = f
        if frame is None:
            frame = sys._getframe(1)
            while frame is not None and frame.f_code.co_filename == traceback.__file__:
                frame = frame.f_back
        frames: list[FrameType] = []
        while frame is not None:
            frames.append(frame)
            frame = frame.f_back
        outermost = max((at for at, one in enumerate(frames) if one.f_code.co_filename == file), default=len(frames))
        own = (one for one in frames[: outermost + 1] if not one.f_code.co_filename.startswith(HOME))
        return ((one, one.f_lineno) for one in own)

    return {
        "walk_tb": own_walk_tb,
        "_walk_tb_with_full_positions": own_walk_positions,
        "walk_stack": own_walk_stack,
    }


def own_exception(file: str) -> Callable[..., None]:
    """A stand-in for ``TracebackException.__init__`` that does not tell of errors inside the engine."""
    init = traceback.TracebackException.__init__

    def __init__(  # noqa: N807
        self: traceback.TracebackException, exc_type: Any, exc_value: Any, exc_traceback: Any, **options: Any
    ) -> None:
        init(self, exc_type, exc_value, exc_traceback, **options)
        context = getattr(exc_value, "__context__", None) if isinstance(exc_value, BaseException) else None
        if context is not None and _internal(context, file):
            self.__context__ = None

    return __init__
