"""What those who wait for a run, or for a measurement of many, can follow: its state and a counter of changes."""

from __future__ import annotations

import threading
from typing import Literal

State = Literal["queued", "running", "asking", "building", "done", "cancelled", "failed"]
FINAL = frozenset({"done", "cancelled", "failed"})


class Followed:
    """Something with a state that others wait for, in any thread. Whoever changes it holds ``_changed`` and calls
    ``_tell``."""

    def __init__(self) -> None:
        self._state: State = "queued"
        self._changed = threading.Condition()
        self._changes = 0

    def touch(self) -> None:
        """Tell those who wait that something has changed."""
        with self._changed:
            self._tell()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is done, cancelled or failed; False when ``timeout`` seconds pass before."""
        with self._changed:
            return self._changed.wait_for(lambda: self._state in FINAL, timeout)

    def wait_change(self, seen: int, timeout: float) -> int:
        """Wait until the counter of changes (state, place in the queue, output, line) is not ``seen``; give it."""
        with self._changed:
            self._changed.wait_for(lambda: self._changes != seen, timeout)
            return self._changes

    def _tell(self) -> None:
        self._changes += 1
        self._changed.notify_all()
