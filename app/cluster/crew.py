"""Which workers there are: each says every second that it lives. Time is Redis's own, so that clocks may differ."""

from __future__ import annotations

from typing import Any, NamedTuple

_CREW = "stepgraph:crew"
_SLOTS = "stepgraph:crew:slots"
BEAT = 1.0
"""Seconds between two signs of life."""
SILENT = 5.0
"""Seconds without one after which a worker is given no more runs."""

_SIGN = """
local now = redis.call('TIME')
redis.call('ZADD', KEYS[1], now[1] + now[2] / 1000000, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
"""
_LIVING = """
local now = redis.call('TIME')
local silent = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now[1] - 60)
for _, name in ipairs(silent) do redis.call('ZREM', KEYS[1], name) redis.call('HDEL', KEYS[2], name) end
local living = redis.call('ZRANGEBYSCORE', KEYS[1], now[1] + now[2] / 1000000 - ARGV[1], '+inf')
local found = {}
for _, name in ipairs(living) do
  table.insert(found, name)
  table.insert(found, redis.call('HGET', KEYS[2], name) or '1')
end
return found
"""


class Member(NamedTuple):
    """A worker that lives: how many programs it runs at a time."""

    name: str
    slots: int


class Crew:
    """Every method may raise ``redis.RedisError``."""

    def __init__(self, client: Any) -> None:
        self._redis = client
        self._sign = client.register_script(_SIGN)
        self._living = client.register_script(_LIVING)

    def sign(self, name: str, slots: int) -> None:
        """This worker lives."""
        self._sign(keys=[_CREW, _SLOTS], args=[name, slots])

    def leave(self, name: str) -> None:
        """It takes no more runs."""
        self._redis.zrem(_CREW, name)

    def living(self) -> list[Member]:
        """Those that were heard lately."""
        found = self._living(keys=[_CREW, _SLOTS], args=[SILENT])
        return [Member(name.decode(), int(slots)) for name, slots in zip(found[::2], found[1::2], strict=True)]
