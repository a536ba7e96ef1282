"""Tells every web process what happened. Channels are named; a subscriber that lost its connection names the last
number it saw and gets the rest (docs/classroom.md)."""

from __future__ import annotations

from app.bus.bus import Bus, BusError, Message
from app.bus.local import LocalBus

__all__ = ["Bus", "BusError", "LocalBus", "Message", "connect"]


def connect(url: str | None) -> Bus:
    """The bus of this process: Redis streams at ``url``, else one that lives in this process alone.

    >>> connect(None).publish("class-a", "hello")
    1
    """
    if not url:
        return LocalBus()
    # Loaded only where it is used: the default set-up needs no client.
    try:
        from app.bus.redis_streams import RedisBus
    except ModuleNotFoundError:
        raise BusError("REDIS_URL needs a client: pip install 'stepgraph[scale]'.") from None

    return RedisBus(url)
