"""How much each session has under way, counted for all web processes together."""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
from typing import Any

import redis

log = logging.getLogger(__name__)

_PREFIX = "stepgraph:share:"
LEASE = 20
"""Seconds for which a run is counted unless its process says that it goes on: one that dies frees its places."""

_TAKE = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 60)
local open = redis.call('ZCARD', KEYS[1])
if open >= tonumber(ARGV[2]) then return {open, 0} end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
  return {0, math.max(1, math.ceil(oldest[2] + 60 - now))}
end
redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('EXPIRE', KEYS[1], 60)
redis.call('EXPIRE', KEYS[2], 60)
return {0, 0}
"""
_RENEW = """
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] + ARGV[2], ARGV[1])
redis.call('EXPIRE', KEYS[1], 60)
"""


class SharedCounts:
    """Counts in Redis. Thread-safe; :meth:`renew` is to be called every few seconds."""

    def __init__(self, client: Any) -> None:
        self._redis = client
        self._take = client.register_script(_TAKE)
        self._renew = client.register_script(_RENEW)
        self._lock = threading.Lock()
        self._held: dict[str, list[str]] = {}
        """What this process has taken, for each caller."""

    def take(self, caller: str, at_once: int, a_minute: int) -> tuple[int, int] | None:
        """``(0, 0)``, and one is taken; or how many are open, too many; or after how many seconds to try again. None:
        Redis cannot be asked."""
        token = secrets.token_hex(8)
        keys = [f"{_PREFIX}{caller}:open", f"{_PREFIX}{caller}:begun"]
        try:
            open, wait = self._take(keys=keys, args=[token, at_once, a_minute, LEASE])
        except redis.RedisError as error:
            log.warning("shares are counted by this process alone: %s", error)
            return None
        if not open and not wait:
            with self._lock:
                self._held.setdefault(caller, []).append(token)
        return int(open), int(wait)

    def give_back(self, caller: str) -> None:
        """One of those that this process took has ended."""
        with self._lock:
            held = self._held.get(caller)
            token = held.pop() if held else None
            if not held:
                self._held.pop(caller, None)
        if token:
            with contextlib.suppress(redis.RedisError):  # it is not renewed either
                self._redis.zrem(f"{_PREFIX}{caller}:open", token)

    def renew(self) -> None:
        """What this process has taken goes on. Raises ``redis.RedisError``."""
        with self._lock:
            held = [(caller, token) for caller, tokens in self._held.items() for token in tokens]
        with self._redis.pipeline(transaction=False) as together:
            for caller, token in held:
                self._renew(keys=[f"{_PREFIX}{caller}:open"], args=[token, LEASE], client=together)
            together.execute()
