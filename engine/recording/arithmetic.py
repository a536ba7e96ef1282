"""Floating-point warnings of NumPy: a program gets its own, not those of the engine, which computes with NumPy inside.

PyTorch divides by zero in silence. NumPy's ``log`` mode hands each warning to an object with ``write`` before it is
given, which looks at who computed; ufuncs that meet no such number pay nothing for it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

import numpy as np

from engine.recording.tracebacks import HOME

_PREFIX = "Warning: "


class _Listener:
    """Gives a warning as NumPy would, unless the engine computed."""

    def write(self, text: str) -> None:
        frame = sys._getframe(1)
        if not frame.f_code.co_filename.startswith(HOME):
            warnings.warn(text.removeprefix(_PREFIX).rstrip("\n"), RuntimeWarning, stacklevel=2)


def listen() -> Callable[[], None]:
    """From now on the engine's arithmetic warns of nothing; returns what puts everything back.

    >>> with warnings.catch_warnings(record=True) as given:
    ...     warnings.simplefilter("always")
    ...     back = listen()
    ...     _ = np.log(np.zeros(1))
    ...     back()
    >>> [str(warning.message) for warning in given]
    ['divide by zero encountered in log']
    """
    heard = np.seterrcall(_Listener())
    modes = np.seterr(divide="log", over="log", invalid="log")

    def back() -> None:
        np.seterr(**modes)
        np.seterrcall(heard)

    return back
