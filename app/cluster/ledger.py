"""What stands in Redis about each run, and the only ways in which it changes.

A run has a number of *attempts*: whoever takes it raises the number, and only who holds the newest may say anything
about it. So a worker that was given up, and comes back, is not heard any more, and a run ends once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_PREFIX = "stepgraph:run:"
_WAITING = "stepgraph:waiting"
"""Runs that no worker has taken, in the order in which they came."""
KEPT = 3600
"""Seconds for which a run is known."""
MOST_ATTEMPTS = 3
_LOOKED_AT = 100

GONE = 0
"""Instead of an attempt: nobody wants this run any more."""

_CLAIM = """
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'waiting' and state ~= 'taken' then return 0 end
redis.call('ZREM', KEYS[2], ARGV[1])
local attempt = redis.call('HINCRBY', KEYS[1], 'attempt', 1)
redis.call('HSET', KEYS[1], 'state', 'taken', 'by', ARGV[2])
if redis.call('HINCRBY', KEYS[1], 'tries', 1) > tonumber(ARGV[3]) or redis.call('HGET', KEYS[1], 'asked') then
  return -attempt
end
return attempt
"""
_TELL = """
local found = redis.call('HMGET', KEYS[1], 'state', 'attempt')
if found[1] ~= 'taken' or found[2] ~= ARGV[1] then return 0 end
redis.call('XADD', KEYS[2], '*', 'news', ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'asked', '1') end
return 1
"""
_FINISH = """
local found = redis.call('HMGET', KEYS[1], 'state', 'attempt')
if found[1] ~= 'taken' or found[2] ~= ARGV[1] then return 0 end
if ARGV[4] ~= '' then redis.call('SET', KEYS[3], ARGV[4], 'EX', ARGV[3]) end
redis.call('HSET', KEYS[1], 'state', 'final')
redis.call('HDEL', KEYS[1], 'payload')
redis.call('XADD', KEYS[2], '*', 'news', ARGV[2])
for _, key in ipairs({KEYS[1], KEYS[2]}) do redis.call('EXPIRE', key, ARGV[3]) end
return 1
"""
_TAKE_BACK = """
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'final' or state == 'withdrawn' then return 0 end
if not state then return 1 end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HINCRBY', KEYS[1], 'attempt', 1)
redis.call('HSET', KEYS[1], 'state', 'withdrawn')
redis.call('XADD', KEYS[3], '*', 'cancel', '1')
redis.call('EXPIRE', KEYS[3], ARGV[2])
return 1
"""
_CANCEL = """
redis.call('XADD', KEYS[3], '*', 'cancel', '1')
redis.call('EXPIRE', KEYS[3], ARGV[3])
local found = redis.call('HMGET', KEYS[1], 'state', 'attempt')
if found[1] ~= 'waiting' then return 0 end
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('HSET', KEYS[1], 'state', 'final')
redis.call('XADD', KEYS[2], '*', 'news', ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
"""


def news_key(id: str) -> str:
    """The stream of what a worker says of the run."""
    return f"{_PREFIX}{id}:news"


def orders_key(id: str) -> str:
    """The stream of what is said to the program: answers, the end of its input, that it is to stop."""
    return f"{_PREFIX}{id}:orders"


def _document_key(id: str) -> str:
    return f"{_PREFIX}{id}:document"


class Ledger:
    """Every method may raise ``redis.RedisError``."""

    def __init__(self, client: Any) -> None:
        self._redis = client
        self._claim = client.register_script(_CLAIM)
        self._tell = client.register_script(_TELL)
        self._finish = client.register_script(_FINISH)
        self._take_back = client.register_script(_TAKE_BACK)
        self._cancel = client.register_script(_CANCEL)

    # -- the side that hands in ----------------------------------------------------------------------------------------

    def put(self, id: str, payload: bytes, *, attempt: int = 0) -> None:
        """A run that waits for a worker. ``attempt``: the last one that was heard of, if Redis has forgotten it."""
        fields = {"state": "waiting", "payload": payload, "attempt": attempt}
        with self._redis.pipeline() as together:
            together.hset(_PREFIX + id, mapping=fields)
            together.expire(_PREFIX + id, KEPT)
            together.incr(f"{_WAITING}:count")
            number = together.execute()[-1]
        self._redis.zadd(_WAITING, {id: number})

    def take_back(self, id: str) -> bool:
        """No worker is to do this run any more; False if it has ended, or somebody else took it back."""
        return bool(self._take_back(keys=[_PREFIX + id, _WAITING, orders_key(id)], args=[id, KEPT]))

    def cancel(self, id: str) -> bool:
        """Stop a run; whether it has ended with that, since no worker had it."""
        keys = [_PREFIX + id, news_key(id), orders_key(id), _WAITING]
        return bool(self._cancel(keys=keys, args=[id, json.dumps({"state": "cancelled"}), KEPT]))

    def order(self, id: str, what: str, text: str = "") -> None:
        """Say something to the program of a run."""
        self._redis.xadd(orders_key(id), {what: text.encode("utf-8", "surrogatepass")})
        self._redis.expire(orders_key(id), KEPT)

    def document(self, id: str) -> bytes | None:
        """What :meth:`finish` was given."""
        found: bytes | None = self._redis.get(_document_key(id))
        return found

    def news(self, id: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
        """All that was said of a run, with the number of each message."""
        found: list[tuple[bytes, dict[bytes, bytes]]] = self._redis.xrange(news_key(id))
        return found

    def standing(self, ids: list[str]) -> list[tuple[str, str, bool, int]]:
        """Of each run its state ("" if Redis does not know it), who has it, whether it has asked for input, and its
        place among those that wait (0: it does not)."""
        with self._redis.pipeline(transaction=False) as together:
            for id in ids:
                together.hmget(_PREFIX + id, "state", "by", "asked")
                together.zrank(_WAITING, id)
            answers = together.execute()
        return [
            ((state or b"").decode(), (by or b"").decode(), asked is not None, 0 if rank is None else rank + 1)
            for (state, by, asked), rank in zip(answers[::2], answers[1::2], strict=True)
        ]

    def forget_lost(self) -> None:
        """Those that wait and that nobody knows any more: their web process died before it sent them."""
        waiting: list[bytes] = self._redis.zrange(_WAITING, 0, _LOOKED_AT - 1)
        with self._redis.pipeline(transaction=False) as together:
            for id in waiting:
                together.exists(_PREFIX + id.decode())
            known = together.execute()
        if gone := [id for id, is_known in zip(waiting, known, strict=True) if not is_known]:
            self._redis.zrem(_WAITING, *gone)

    # -- the workers' side ---------------------------------------------------------------------------------------------

    def claim(self, id: str, worker: str) -> tuple[int, bytes]:
        """Take a run: the number of this attempt and what was handed in; or :data:`GONE`. Below zero: the run
        was lost with its worker and is not to be run again, since that happened too often or its program has asked."""
        attempt = int(self._claim(keys=[_PREFIX + id, _WAITING], args=[id, worker, MOST_ATTEMPTS]))
        payload = self._redis.hget(_PREFIX + id, "payload") if attempt else None
        return (attempt, payload) if payload is not None else (GONE, b"")

    def tell(self, id: str, attempt: int, news: Mapping[str, Any], *, asked: bool) -> bool:
        """Say what has changed in a run; False if it is not this attempt's any more."""
        args = [attempt, json.dumps({**news, "attempt": attempt}), KEPT, int(asked)]
        return bool(self._tell(keys=[_PREFIX + id, news_key(id)], args=args))

    def finish(self, id: str, attempt: int, news: Mapping[str, Any], document: bytes = b"") -> bool:
        """The last word on a run; False if it is not this attempt's any more."""
        args = [attempt, json.dumps({**news, "attempt": attempt}), KEPT, document]
        return bool(self._finish(keys=[_PREFIX + id, news_key(id), _document_key(id)], args=args))
