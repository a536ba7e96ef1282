"""The bus of several processes: one Redis stream, which each process reads once and hands on to its own subscribers.

One connection that reads for a whole process, whatever number of pages follow; a number is the stream's own id, so it
means the same in every process.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from typing import Any, cast

import redis

from app.bus.bus import BusError, Message
from app.bus.local import LocalBus

log = logging.getLogger(__name__)

STREAM = "stepgraph:bus"
LENGTH = 10_000
"""Messages of all channels that Redis keeps, about."""
_BLOCK = 200
"""Milliseconds that one read waits: how long closing takes at most."""
_PAUSE = 1.0
"""Seconds before a lost server is tried again."""
_SEQUENCE = 20


def number_of(id: str) -> int:
    """A stream id, milliseconds and a count within them, as one number.

    >>> number_of("5-3"), id_of(number_of("1700000000000-7"))
    (5242883, '1700000000000-7')
    """
    milliseconds, _, count = id.partition("-")
    return int(milliseconds) << _SEQUENCE | int(count or 0)


def id_of(number: int) -> str:
    """The stream id of a number."""
    return f"{number >> _SEQUENCE}-{number & (1 << _SEQUENCE) - 1}"


class RedisBus:
    """Through the Redis server at ``url`` (``redis://…``). A lost server is looked for again until it is back."""

    def __init__(self, url: str) -> None:
        try:
            self._redis = cast(Any, redis.Redis).from_url(
                url, decode_responses=True, socket_connect_timeout=2, socket_timeout=5, health_check_interval=10
            )
        except ValueError:
            raise BusError("REDIS_URL cannot be read: write redis://HOST/0.") from None
        self._local = LocalBus()
        self._closing = threading.Event()
        self._ready = threading.Event()
        self._seen = "0-0"
        self._reader = threading.Thread(target=self._read, name="bus", daemon=True)
        self._reader.start()

    def publish(self, channel: str, text: str) -> int:
        try:
            id = self._redis.xadd(STREAM, {"channel": channel, "text": text}, maxlen=LENGTH, approximate=True)
        except redis.RedisError as error:
            raise BusError(f"Redis cannot be reached: {error}") from error
        return number_of(str(id))

    def last(self, channel: str) -> int:
        self._ready.wait(2)
        return self._local.last(channel)

    def subscribe(self, channel: str, after: int, *, timeout: float) -> Iterator[list[Message]]:
        self._ready.wait(2)
        return self._local.subscribe(channel, after, timeout=timeout)

    def check(self) -> None:
        try:
            self._redis.ping()
        except redis.RedisError as error:
            raise BusError(f"Redis cannot be reached: {error}") from error

    def close(self) -> None:
        self._closing.set()
        self._local.close()
        self._reader.join(5)
        # A request that is being answered may still publish: what it uses stays open.
        self._redis.connection_pool.disconnect(inuse_connections=False)

    def _read(self) -> None:
        """Hand on what the stream holds, then what comes, until the bus is closed."""
        while not self._closing.is_set():
            try:
                # The first look takes what is kept and does not wait, so that a process that starts knows it too.
                block = _BLOCK if self._ready.is_set() else None
                answer = self._redis.xread({STREAM: self._seen}, count=1000, block=block)
            except redis.RedisError as error:
                log.warning("Redis cannot be reached: %s", error)
                self._ready.set()
                self._closing.wait(_PAUSE)
                continue
            entries = [entry for _, entries in answer for entry in entries]
            for id, fields in entries:
                self._seen = id
                self._local.deliver(fields["channel"], Message(number_of(id), fields["text"]))
            if not entries:
                self._ready.set()
