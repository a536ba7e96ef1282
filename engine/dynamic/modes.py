"""Whether ops are recorded for backward: one flag, switched for a while by :func:`no_grad` and its relatives."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any

enabled = True
"""Read by every op; written only here."""

tracer: Any = None
"""What turns ops into nodes of a static graph instead of running them (:mod:`engine.bridges.tracing`), if any.
It is only asked on the observed way, so whoever sets it also sets ``events.listener``."""


def set_enabled(value: bool) -> bool:
    """Switch recording on or off; returns what it was."""
    global enabled
    before = enabled
    enabled = value
    return before


class grad_mode(ContextDecorator):  # noqa: N801  (used like a function)
    """Record (or don't) inside a ``with`` block, or inside a function that it decorates.

    >>> from engine.dynamic import modes
    >>> with grad_mode(False):
    ...     modes.enabled
    False
    """

    __slots__ = ("_before", "_value")

    def __init__(self, value: bool) -> None:
        self._value = value
        self._before: list[bool] = []

    def __enter__(self) -> None:
        global enabled
        self._before.append(enabled)
        enabled = self._value

    def __exit__(self, *_: object) -> None:
        global enabled
        enabled = self._before.pop()


def no_grad() -> grad_mode:
    """A context in which nothing is recorded."""
    return grad_mode(False)


def enable_grad() -> grad_mode:
    """A context in which ops are recorded again."""
    return grad_mode(True)
