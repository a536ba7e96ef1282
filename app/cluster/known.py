"""Runs by the ids under which browsers know them, for every web process."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from app.runner.interface import RunLike


class Found(NamedTuple):
    """A run of another process, and the browser session whose it is (None: of whoever knows the id)."""

    session: str | None
    run: RunLike


class KnownRuns(Protocol):
    """Where runs are known that another process handed in."""

    def announce(self, id: str, session: str | None, run: RunLike) -> bool:
        """``run`` is known under ``id`` from now on; whether other processes can follow it."""

    def announce_same(self, id: str, session: str | None, other: str) -> bool:
        """The same for the run that is known under ``other``."""

    def find(self, id: str) -> Found | None:
        """A run that some process has announced."""

    def forget(self, id: str) -> None:
        """Nobody is to find it any more."""
