"""One thread and one connection that read many streams of Redis."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from typing import Any

import redis

log = logging.getLogger(__name__)

Receive = Callable[[Mapping[bytes, bytes]], None]

_BLOCK = 1000
"""Milliseconds that one read waits."""
_PAUSE = 0.5
"""Seconds before a lost server is tried again."""


class Reader:
    """``receive`` of a stream gets its messages in order, each once, in the reader's thread."""

    def __init__(self, client: Any) -> None:
        self._redis = client
        self._wake = f"stepgraph:wake:{secrets.token_hex(8)}"
        """A stream of this reader's own: a message there ends a read that waits, so that a new stream is read too."""
        self._lock = threading.Lock()
        self._streams: dict[str, tuple[str, Receive]] = {}
        self._woken = "0"
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._read, name="reader", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def watch(self, key: str, receive: Receive, *, after: str = "0") -> None:
        """Read the stream ``key`` from behind the message ``after`` on."""
        with self._lock:
            self._streams[key] = after, receive
        self._nudge()

    def leave(self, key: str) -> None:
        with self._lock:
            self._streams.pop(key, None)

    def close(self) -> None:
        self._closing.set()
        self._nudge()
        self._thread.join(_BLOCK / 1000 + 1)

    def _nudge(self) -> None:
        try:
            with self._redis.pipeline(transaction=False) as together:
                together.xadd(self._wake, {"": ""}, maxlen=1)
                together.expire(self._wake, 60)
                together.execute()
        except redis.RedisError:
            pass  # the reader looks again by itself

    def _read(self) -> None:
        while not self._closing.is_set():
            with self._lock:
                wanted = {self._wake: self._woken} | {key: after for key, (after, _) in self._streams.items()}
            try:
                answer = self._redis.xread(wanted, count=200, block=_BLOCK)
            except redis.RedisError as error:
                log.debug("Redis cannot be reached: %s", error)
                self._closing.wait(_PAUSE)
                continue
            for key, messages in answer:
                self._hand_out(key.decode(), messages)

    def _hand_out(self, key: str, messages: list[tuple[bytes, dict[bytes, bytes]]]) -> None:
        if key == self._wake:
            self._woken = messages[-1][0].decode()
            return
        for number, fields in messages:
            with self._lock:
                if key not in self._streams:
                    return
                _, receive = self._streams[key]
                self._streams[key] = number.decode(), receive
            try:
                receive(fields)
            except Exception:
                log.exception("a message of %s could not be taken in", key)
