"""Saying that data are a stand-in: on standard error, so that a program's own output stays what it is."""

from __future__ import annotations

import sys

_said: set[str] = set()


def announce(name: str, what: str) -> None:
    """Say once in a program that ``name`` gives ``what`` instead of the real data."""
    if name not in _said:
        _said.add(name)
        print(f"stepgraph: {name} gives {what}, not the real data; nothing is downloaded here", file=sys.stderr)
