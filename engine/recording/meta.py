"""What a recording says about itself: which dialect and why, on which machine, what could not be recorded."""

from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from engine.events import clock
from engine.recording.config import RunConfig
from engine.recording.journal import Journal
from engine.recording.rows import Kind


def timer_resolution(samples: int = 64) -> int:
    """The smallest step of the clock that was seen, in nanoseconds.

    >>> timer_resolution() >= 1
    True
    """
    smallest = 1 << 62
    before = clock()
    while samples:
        now = clock()
        if now > before:
            smallest = min(smallest, now - before)
            samples -= 1
        before = now
    return smallest


def engine_version() -> str:
    """The version of this engine, ``"source"`` where it is not installed."""
    try:
        return version("stepgraph")
    except PackageNotFoundError:
        return "source"


def describe_run(journal: Journal, config: RunConfig, dialect: str, reason: str) -> None:
    """Write what the trace's ``program`` and ``machine`` will say. Comes first, so that even a cut recording has it."""
    machine = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "engine": engine_version(),
        "timer_ns": timer_resolution(),
    }
    text = json.dumps({"dialect": dialect, "reason": reason, "machine": machine})
    journal.append(
        Kind.SOURCE,
        blob=journal.put_bytes(config.source.encode("utf-8", "backslashreplace")),
        value=journal.put_bytes(config.name.encode("utf-8", "backslashreplace")),
    )
    journal.append(Kind.META, blob=journal.put_bytes(text.encode()))


def note(journal: Journal, text: str) -> None:
    """Write down something that the reader of the trace should know about the recording."""
    journal.append(Kind.NOTE, blob=journal.put_bytes(text.encode("utf-8", "backslashreplace")))
