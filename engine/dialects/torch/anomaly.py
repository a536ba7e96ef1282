"""Anomaly mode: backward stops where a gradient is no number, and says which line ran the op forward.

It stands on the events: a listener in front of the one that is there (if any) notes where each node was made, and looks
at what each gradient function sends on.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from engine import events

_ENGINE = str(Path(__file__).resolve().parents[2])


class Watcher:
    """Hands every event on, and looks at some of them."""

    def __init__(self, inner: Any, check_nan: bool) -> None:
        self._inner = inner
        self._check_nan = check_nan
        self._numbers = count()
        self._origins: dict[int, Any] = {}
        self._gradients: dict[int, tuple[str, int]] = {}

    def __getattr__(self, name: str) -> Any:
        if self._inner is not None:
            return getattr(self._inner, name)
        return lambda *arguments, **options: next(self._numbers)

    def node_created(self, *arguments: Any, **options: Any) -> int:
        number = next(self._numbers) if self._inner is None else self._inner.node_created(*arguments, **options)
        if options.get("role") == "gradient":
            self._gradients[number] = (options.get("label", ""), options.get("mirrors", -1))
        else:
            self._origins[number] = _program_frames()
        return int(number)

    def gradient_ran(self, node: int, sent: Any, start: int, end: int) -> None:
        if self._inner is not None:
            self._inner.gradient_ran(node, sent, start, end)
        if not self._check_nan:
            return
        for place, value in enumerate(sent):
            array = getattr(value, "_array", value)
            if array is not None and np.asarray(array).dtype.kind in "fc" and np.isnan(array).any():
                label, forward = self._gradients.get(node, ("", -1))
                _tell(label, self._origins.get(forward))
                raise RuntimeError(f"Function '{label}' returned nan values in its {place}th output.")


def _program_frames() -> Any:
    """The frames of the program that lead here, outermost first."""
    frame: Any = sys._getframe(1)
    found = []
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_ENGINE) and not frame.f_code.co_filename.startswith("<gradient"):
            found.append((frame, frame.f_lineno))
        frame = frame.f_back
    return traceback.StackSummary.extract(iter(reversed(found)), lookup_lines=False)


def _tell(label: str, origin: Any) -> None:
    if origin is None:
        words = "No forward pass information available. Enable detect anomaly during forward pass for more information."
        warnings.warn(f"Error detected in {label}. {words}", UserWarning, stacklevel=2)
        return
    text = "".join(origin.format())
    warnings.warn(
        f"Error detected in {label}. Traceback of forward call that caused the error:\n{text}",
        UserWarning,
        stacklevel=2,
    )


def enabled() -> bool:
    """Whether anomaly mode is on."""
    return isinstance(events.listener, Watcher)


def check_nan_enabled() -> bool:
    """Whether gradients are looked at."""
    return isinstance(events.listener, Watcher) and events.listener._check_nan


def switch(on: bool, check_nan: bool = True) -> tuple[bool, bool]:
    """Switch anomaly mode on or off; returns what it was."""
    before = enabled(), check_nan_enabled()
    if isinstance(events.listener, Watcher):
        events.listener = events.listener._inner
    if on:
        events.listener = Watcher(events.listener, check_nan)
    return before


class set_detect_anomaly:
    """Switch anomaly mode on or off, for good or inside a ``with``."""

    __module__ = "torch.autograd.anomaly_mode"

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = switch(mode, check_nan)

    def __enter__(self) -> None:
        """The mode is set already."""

    def __exit__(self, *_: object) -> None:
        switch(*self._before)


class detect_anomaly:
    """Anomaly mode inside a ``with``."""

    __module__ = "torch.autograd.anomaly_mode"

    def __init__(self, check_nan: bool = True) -> None:
        self._check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._before = switch(True, self._check_nan)

    def __exit__(self, *_: object) -> None:
        switch(*self._before)
