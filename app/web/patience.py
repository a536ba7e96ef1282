"""Clients that take for ever to say what they want: waitress itself waits for as long as now and then a byte comes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

_WHOLE = 15
"""How many times longer the body of a request may take than its head: four megabytes over a poor line."""


class Patience:
    """Closes connections whose request is not there in time: ``seconds`` for its head, 15 times that for all of it."""

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._next = 0.0
        self._begun: dict[Any, float] = {}

    def watch(self, server: Any) -> None:
        """Look after the connections of a waitress server, in its own loop. (Its ``maintenance`` goes by the clock on
        the wall, which may be set back.)"""
        its_own = server.readable

        def readable() -> bool:
            if self._clock() >= self._next:
                self._next = self._clock() + self._seconds / 4
                self.look(server.active_channels.values())
            return bool(its_own())

        server.readable = readable

    def look(self, channels: Any) -> None:
        """Close those that are late. ``channels`` are waitress's, whose ``request`` is what has come of one so far."""
        now = self._clock()
        unfinished = {channel.request: channel for channel in channels if channel.request is not None}
        self._begun = {request: self._begun.get(request, now) for request in unfinished}
        for request, channel in unfinished.items():
            allowed = self._seconds * (_WHOLE if request.headers_finished else 1)
            if now - self._begun[request] > allowed:
                channel.will_close = True
