"""Whether ops are recorded for backward: one flag, switched for a while by :func:`no_grad` and its relatives; and
whether what is made will never be (:class:`inference_mode`)."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any

enabled = True
"""Read by every op; written only here."""

inference = False
"""Whether results get an :class:`~engine.dynamic.tensor.InferenceStorage`; never while ``enabled``."""

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
        enabled = self._value and not inference

    def __exit__(self, *_: object) -> None:
        global enabled
        enabled = self._before.pop()


def no_grad() -> grad_mode:
    """A context in which nothing is recorded."""
    return grad_mode(False)


def enable_grad() -> grad_mode:
    """A context in which ops are recorded again."""
    return grad_mode(True)


class inference_mode(ContextDecorator):  # noqa: N801  (used like a function)
    """Nothing is recorded in a ``with`` block (or in a function that it decorates), and what is made in it can never
    take part in a recording: an *inference tensor* needs no version, so none is kept. ``inference_mode(False)`` lifts
    it for a while. Views of other tensors, and other tensors written in place, stay what they are.

    >>> from engine.dynamic import modes
    >>> with inference_mode():
    ...     modes.inference, modes.enabled
    (True, False)
    """

    __slots__ = ("_before", "_value")

    def __init__(self, mode: bool = True) -> None:
        self._value = mode
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        global enabled, inference
        self._before.append((enabled, inference))
        enabled, inference = not self._value, self._value

    def __exit__(self, *_: object) -> None:
        global enabled, inference
        enabled, inference = self._before.pop()
