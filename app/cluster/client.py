"""Connections to Redis for what concerns runs."""

from __future__ import annotations

from typing import Any, cast

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from app.bus import BusError

PATIENCE = 5.0
"""Seconds for which an answer is waited for, beyond what a command itself waits."""


def client(url: str) -> Any:
    """A client of the server at ``url``. A connection that a restart has cut is replaced at once; a server that is away
    is an error at once, since everybody here has something else to do meanwhile. Raises :class:`app.bus.BusError` for
    an address that is none."""
    try:
        return cast(Any, redis.Redis).from_url(
            url,
            socket_connect_timeout=2,
            socket_timeout=PATIENCE,
            health_check_interval=10,
            retry=Retry(NoBackoff(), 1),
        )
    except ValueError:
        raise BusError("REDIS_URL cannot be read: write redis://HOST/0.") from None
