"""How much one browser session may run: a share of its own, whatever address it comes from.

A classroom shares one address, so sessions are told apart by a random id in a signed cookie, which loading the page
sets. Clients that send no cookie share what their address may run, which is more.
"""

from __future__ import annotations

import ipaddress
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from flask import request, session

from app.rates import Rate


def session_id() -> str:
    """The id of the caller's browser session; a caller without one gets a new one with the response."""
    known = _known_session()
    if known is not None:
        return known
    new = secrets.token_urlsafe(16)
    session["id"] = new
    return new


def _known_session() -> str | None:
    known = session.get("id")
    return known if isinstance(known, str) else None


@dataclass(frozen=True)
class Caller:
    """Who sends a request: the browser ``session`` that its cookie names (None without one), and its ``address``."""

    session: str | None
    address: str

    @classmethod
    def now(cls) -> Caller:
        """The sender of the current request."""
        return cls(_known_session(), network(request.remote_addr or ""))

    def may_change(self, owner: str | None) -> bool:
        """Whether a run of the session ``owner`` obeys: that session; one without a session obeys all who know its id.

        >>> ada, curl = Caller("ada", "::1"), Caller(None, "::1")
        >>> ada.may_change("ada"), curl.may_change("ada"), ada.may_change(None), curl.may_change(None)
        (True, False, True, True)
        """
        return owner is None or owner == self.session


def network(address: str) -> str:
    """What belongs to one client: an IPv4 address, or the 64 bits of an IPv6 address that name its network.

    >>> network("192.0.2.7"), network("2001:db8::7")
    ('192.0.2.7', '2001:db8::/64')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(parsed) if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))


@dataclass(frozen=True)
class Refusal:
    """Why a session may not start another run now, and after how many seconds to try again."""

    message: str
    hint: str
    retry_after: int


class Counts(Protocol):
    """Counts for several processes together (:class:`app.cluster.shares.SharedCounts`)."""

    def take(self, caller: str, at_once: int, a_minute: int) -> tuple[int, int] | None:
        """``(0, 0)``, and one more is open; or how many are open, or after how many seconds to try again. None: it
        cannot be counted now."""

    def give_back(self, caller: str) -> None: ...


class SessionLimits:
    """Counts runs by session (or by address): open ones, and those started within a minute. Thread-safe; sessions that
    are idle are forgotten. With ``counts`` those of all processes count, as far as they can be asked.

    >>> limits = SessionLimits(at_once=1, a_minute=30)
    >>> limits.start("ada") is None
    True
    >>> limits.start("ada").message
    'You already have 1 program waiting or running.'
    >>> limits.end("ada"); limits.start("ada") is None
    True
    """

    def __init__(
        self,
        at_once: int,
        a_minute: int,
        *,
        who: str = "You",
        advice: str = "",
        counts: Counts | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._who = who
        self._advice = f" {advice}" if advice else ""
        self._counts = counts
        self._at_once = at_once
        self._a_minute = a_minute
        self._started = Rate(a_minute, clock=clock)
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    def start(self, session: str) -> Refusal | None:
        """Take one run from the session's share, or say why not (and take nothing)."""
        with self._lock:
            if (open := self._open[session]) >= self._at_once:
                return self._too_many(open)
            if wait := self._started.take(session):
                return self._too_often(wait)
            self._open[session] += 1
        everywhere = self._counts.take(session, self._at_once, self._a_minute) if self._counts else None
        if everywhere is None or everywhere == (0, 0):
            return None
        self._end_here(session)
        open, wait = everywhere
        return self._too_often(wait) if wait else self._too_many(open)

    def _too_many(self, open: int) -> Refusal:
        many = f"{open} program{'s' if open > 1 else ''}"
        return Refusal(
            f"{self._who} already have {many} waiting or running.",
            f"Wait until one is done, or stop one of them.{self._advice}",
            2,
        )

    def _too_often(self, wait: int) -> Refusal:
        return Refusal(
            f"{self._who} have started {self._a_minute} programs within a minute.",
            f"Try again in {wait} s.{self._advice}",
            wait,
        )

    def end(self, session: str) -> None:
        """Give one run back to the session's share."""
        if self._counts:
            self._counts.give_back(session)
        self._end_here(session)

    def _end_here(self, session: str) -> None:
        with self._lock:
            if self._open[session] <= 1:
                del self._open[session]
            else:
                self._open[session] -= 1
