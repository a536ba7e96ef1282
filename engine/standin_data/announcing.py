"""Saying that data are a stand-in: on standard error and in the recording, so that a program's own output stays what it
is."""

from __future__ import annotations

import sys

from engine import events

_said: set[str] = set()


def announce(name: str, what: str) -> None:
    """Say once in a program that ``name`` gives ``what`` instead of the real data."""
    if name in _said:
        return
    _said.add(name)
    words = f"{name} gives {what}, not the real data; nothing is downloaded here"
    print(f"stepgraph: {words}", file=sys.stderr)
    if events.listener is not None:
        events.listener.noted(f"{words}.")
