"""How much one browser session may run: a share of its own, whatever address it comes from.

A classroom shares one address, so nothing here looks at addresses. The session is a random id in a signed cookie.
"""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import session

WINDOW = 60.0
"""Seconds over which runs are counted."""


def session_id() -> str:
    """The id of the caller's browser session; a caller without one gets a new one with the response."""
    known = session.get("id")
    if isinstance(known, str):
        return known
    new = secrets.token_urlsafe(16)
    session["id"] = new
    return new


@dataclass
class _Share:
    open: int = 0
    started: deque[float] = field(default_factory=deque)


@dataclass(frozen=True)
class Refusal:
    """Why a session may not start another run now, and after how many seconds to try again."""

    message: str
    hint: str
    retry_after: int


class SessionLimits:
    """Counts runs by session. Thread-safe; sessions that are idle are forgotten.

    >>> limits = SessionLimits(at_once=1, a_minute=30)
    >>> limits.start("ada") is None
    True
    >>> limits.start("ada").message
    'You already have 1 program waiting or running.'
    >>> limits.end("ada"); limits.start("ada") is None
    True
    """

    def __init__(self, at_once: int, a_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once = at_once
        self._a_minute = a_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._shares: OrderedDict[str, _Share] = OrderedDict()

    def start(self, session: str) -> Refusal | None:
        """Take one run from the session's share, or say why not (and take nothing)."""
        now = self._clock()
        with self._lock:
            self._forget(now)
            share = self._shares.setdefault(session, _Share())
            self._shares.move_to_end(session)
            while share.started and share.started[0] <= now - WINDOW:
                share.started.popleft()
            if share.open >= self._at_once:
                many = f"{share.open} program{'s' if share.open > 1 else ''}"
                return Refusal(
                    f"You already have {many} waiting or running.", "Wait until one is done, or stop one of them.", 2
                )
            if len(share.started) >= self._a_minute:
                wait = math.ceil(share.started[0] + WINDOW - now)
                return Refusal(
                    f"You have started {self._a_minute} programs within a minute.", f"Try again in {wait} s.", wait
                )
            share.open += 1
            share.started.append(now)
            return None

    def end(self, session: str) -> None:
        """Give one run back to the session's share."""
        with self._lock:
            if share := self._shares.get(session):
                share.open = max(0, share.open - 1)

    def _forget(self, now: float) -> None:
        """Drop sessions, oldest first, that have nothing open and started nothing within the window."""
        while self._shares:
            name, share = next(iter(self._shares.items()))
            if share.open or (share.started and share.started[-1] > now - WINDOW):
                return
            del self._shares[name]
