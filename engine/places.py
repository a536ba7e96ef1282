"""Where in the program something happens: the innermost frame that is neither the engine's nor the library's."""

from __future__ import annotations

import os
import sys
from types import FrameType

Place = tuple[str, int]
"""A file and a line, from 1."""

_ENGINE = os.path.dirname(__file__) + os.sep
_DIALECTS = os.path.join(_ENGINE, "dialects") + os.sep
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_PACKAGES = os.path.join(_LIBRARY, "site-packages") + os.sep
_WRITTEN = ("<plan ", "<gradient of ", "<frozen ", "<__array_function__")
"""How the names of generated code begin, and of the interpreter's own."""

_foreign: dict[str, bool] = {}


def is_foreign(file: str) -> bool:
    """Whether code of ``file`` is no part of the program.

    >>> is_foreign(__file__), is_foreign("<plan 3>"), is_foreign("lesson.py"), is_foreign("<string>")
    (True, True, False, False)
    """
    known = _foreign.get(file)
    if known is None:
        library = file.startswith(_LIBRARY) and not file.startswith(_PACKAGES)
        known = library or file.startswith((_ENGINE, *_WRITTEN)) or f"{os.sep}numpy{os.sep}" in file
        _foreign[file] = known
    return known


def program_place(frame: FrameType | None = None) -> Place:
    """The file and line of the program that led to ``frame`` (default: to the caller)."""
    at = frame if frame is not None else sys._getframe(1)
    while at.f_back is not None and is_foreign(at.f_code.co_filename):
        at = at.f_back
    return at.f_code.co_filename, at.f_lineno


def native_place() -> Place | None:
    """:func:`program_place`, if the program called the engine itself; ``None`` if a dialect did so for it, which has
    its own way to say what went wrong."""
    at: FrameType | None = sys._getframe(1)
    while at is not None:
        file = at.f_code.co_filename
        if not is_foreign(file):
            return file, at.f_lineno
        if file.startswith(_DIALECTS):
            return None
        at = at.f_back
    return None
