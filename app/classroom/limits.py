"""How fast one follower may send."""

from __future__ import annotations

import time
from collections.abc import Callable


class Bucket:
    """Takes ``burst`` at once and ``a_second`` for long.

    >>> now = [0.0]
    >>> bucket = Bucket(burst=2, a_second=1, clock=lambda: now[0])
    >>> bucket.take(), bucket.take(), bucket.take()
    (True, True, False)
    >>> now[0] = 1.0
    >>> bucket.take(), bucket.take()
    (True, False)
    """

    def __init__(self, *, burst: int, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._rate = a_second
        self._clock = clock
        self._left = float(burst)
        self._at = clock()

    def take(self) -> bool:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
