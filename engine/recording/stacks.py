"""The bottom of the stack as the program sees it: its module is the outermost frame, as when Python runs its file.

Below that frame stands what records the run. No frame can be cut off, so what leads there does not: ``sys._getframe``,
``inspect``, and the attribute ``f_back`` where the program writes it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from sys import _getframe
from types import FrameType
from typing import Any

from engine.recording.tracebacks import HOME


def is_below(frame: FrameType | None, file: str) -> bool:
    """Whether ``frame`` is one of those that the program's outermost frame was called from.

    >>> is_below(_getframe(), _getframe().f_code.co_filename), is_below(_getframe(), "main.py")
    (False, True)
    """
    while frame is not None:
        if frame.f_code.co_filename == file:
            return False
        frame = frame.f_back
    return True


def files_below(file: str) -> set[str]:
    """The files of all code that the program's outermost frame was called from; empty if it is not on the stack.

    >>> files_below("main.py")
    set()
    """
    frame: FrameType | None = _getframe(1)
    files: list[str] = []
    outermost = 0
    while frame is not None:
        files.append(frame.f_code.co_filename)
        if files[-1] == file:
            outermost = len(files)
        frame = frame.f_back
    return set(files[outermost:]) if outermost else set()


def own_getframe(file: str) -> Callable[..., FrameType]:
    """A stand-in for ``sys._getframe``."""

    def own(depth: int = 0, /) -> FrameType:
        if type(depth) is not int:
            return _getframe(depth)
        frame = _getframe(max(depth, 0) + 1)
        if depth > 0 and not _getframe(1).f_code.co_filename.startswith(HOME) and is_below(frame, file):
            raise ValueError("call stack is not deep enough")
        return frame

    own.__name__ = own.__qualname__ = "_getframe"
    return own


def own_outer_frames(file: str) -> Callable[..., list[Any]]:
    """A stand-in for ``inspect.getouterframes``."""
    outer = inspect.getouterframes

    def getouterframes(frame: Any, context: int = 1) -> list[Any]:
        """Get a list of records for a frame and all higher (calling) frames."""
        return [one for one in outer(frame, context) if not is_below(one.frame, file)]

    return getouterframes
