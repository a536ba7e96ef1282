"""The honest account of what stands between a program and this machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Isolation:
    """``layers`` that are active; ``isolated``: at least the minimum is; ``missing``: what is not there and how to
    get it.

    >>> Isolation(("a process of its own",), False, ()).text
    'Not isolated: programs run with the rights of this user (a process of its own). Run only programs that you trust.'
    """

    layers: tuple[str, ...]
    isolated: bool
    missing: tuple[str, ...]

    @property
    def text(self) -> str:
        """One sentence for the page, the log and ``stepgraph doctor``."""
        layers = ", ".join(self.layers) or "no layer at all"
        if self.isolated:
            return f"Isolated: every program runs in a process of its own, locked by {layers}."
        return f"Not isolated: programs run with the rights of this user ({layers}). Run only programs that you trust."
