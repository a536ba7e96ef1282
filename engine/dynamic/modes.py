"""Whether ops are recorded for backward: one flag, switched for a while by :func:`no_grad` and its relatives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

enabled = True
"""Read by every op; written only here."""


def set_enabled(value: bool) -> bool:
    """Switch recording on or off; returns what it was."""
    global enabled
    before = enabled
    enabled = value
    return before


@contextmanager
def grad_mode(value: bool) -> Iterator[None]:
    """Record (or don't) inside a ``with`` block.

    >>> from engine.dynamic import modes
    >>> with grad_mode(False):
    ...     modes.enabled
    False
    """
    before = set_enabled(value)
    try:
        yield
    finally:
        set_enabled(before)


def no_grad() -> object:
    """A context in which nothing is recorded."""
    return grad_mode(False)


def enable_grad() -> object:
    """A context in which ops are recorded again."""
    return grad_mode(True)
