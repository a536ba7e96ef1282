"""Where in the program something was made: the program's own frames, as TensorFlow lists them in messages."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

_ENGINE = str(Path(__file__).resolve().parents[2]) + "/"
_RECORDING = _ENGINE + "recording/"
MOST = 5


def program_frames() -> list[tuple[str, int, str]]:
    """File, line and function of the calls of the program that led here, innermost first, at most five.

    >>> program_frames()[0][2]
    '<module>'
    """
    found: list[tuple[str, int, str]] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and len(found) < MOST:
        code = frame.f_code
        if code.co_filename.startswith(_RECORDING):
            break  # what lies further out runs the program
        if not code.co_filename.startswith(_ENGINE):
            found.append((code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back
    return found


def listed(frames: list[tuple[str, int, str]]) -> str:
    """Frames as a message lists them.

    >>> listed([("main.py", 3, "make")])
    '  File "main.py", line 3, in make\\n'
    """
    return "".join(f'  File "{file}", line {line}, in {function}\n' for file, line, function in frames)
