"""How often a caller may do something: within any minute, or evenly."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

WINDOW = 60.0
"""Seconds over which is counted."""
_MOST_CALLERS = 10_000


class Rate:
    """At most ``a_minute`` times within any minute, each caller for themselves. Thread-safe.

    >>> rate = Rate(2, clock=lambda: 0.0)
    >>> [rate.take("ada"), rate.take("ada"), rate.take("ada"), rate.take("bob")]
    [0, 0, 60, 0]
    """

    def __init__(self, a_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_minute = a_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._taken: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, caller: str) -> int:
        """0, and it is counted; or after how many seconds to try again."""
        now = self._clock()
        with self._lock:
            self._forget(now)
            times = self._taken.setdefault(caller, deque())
            self._taken.move_to_end(caller)
            while times and times[0] <= now - WINDOW:
                times.popleft()
            if len(times) >= self._a_minute:
                return max(1, math.ceil(times[0] + WINDOW - now))
            times.append(now)
            while len(self._taken) > _MOST_CALLERS:  # nobody is remembered for longer than there is room
                self._taken.popitem(last=False)
            return 0

    def _forget(self, now: float) -> None:
        """Drop callers, the first ones first, who have taken nothing within the window."""
        while self._taken:
            caller, times = next(iter(self._taken.items()))
            if times and times[-1] > now - WINDOW:
                return
            del self._taken[caller]


class Flow:
    """At most ``burst`` at once, and ``a_second`` from then on, each caller for themselves. Keeps one number a caller,
    so that it may be asked for every request. Thread-safe.

    >>> now = [0.0]
    >>> flow = Flow(burst=60, a_second=1, clock=lambda: now[0])
    >>> sum(flow.take("ada") == 0 for _ in range(100)), flow.take("ada"), flow.take("bob")
    (60, 1, 0)
    >>> now[0] = 30.0
    >>> sum(flow.take("ada") == 0 for _ in range(100))
    30
    """

    def __init__(self, *, burst: int, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._apart = 1 / a_second
        self._ahead = burst / a_second
        self._clock = clock
        self._lock = threading.Lock()
        self._free: OrderedDict[str, float] = OrderedDict()
        """When each caller, asking evenly, would have asked for all that they did."""

    def take(self, caller: str) -> int:
        """0, and it is counted; or after how many seconds to try again."""
        now = self._clock()
        with self._lock:
            free = max(now, self._free.get(caller, now)) + self._apart
            late = free - now - self._ahead
            if late > 1e-9:
                return max(1, math.ceil(late))
            self._free[caller] = free
            self._free.move_to_end(caller)
            while len(self._free) > _MOST_CALLERS:
                self._free.popitem(last=False)
            return 0
