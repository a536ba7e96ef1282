"""Of each owner one program runs at a time, whichever web process it was handed in to."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import redis

from app.cluster.remote import RemoteRun

_PREFIX = "stepgraph:turn:"
_LEASE = 15_000
"""Milliseconds for which a turn lasts unless it is renewed: a web process that dies holds nobody up for longer."""

_LEAVE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
_RENEW = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"


class Turns:
    """Thread-safe."""

    def __init__(self, client: Any) -> None:
        self._redis = client
        self._leave = client.register_script(_LEAVE)
        self._renew = client.register_script(_RENEW)
        self._lock = threading.Lock()
        self._taken: dict[RemoteRun, str] = {}

    def take(self, run: RemoteRun, owner: str) -> bool:
        """It is this run's turn from now on, if no other one of ``owner`` has it ("" is nobody, and never has to wait).
        Raises ``redis.RedisError``."""
        if not owner or run in self._taken:
            return True
        if not self._redis.set(_PREFIX + owner, run.id, nx=True, px=_LEASE):
            return False
        with self._lock:
            self._taken[run] = owner
        return True

    def leave(self, run: RemoteRun) -> None:
        """The run has ended, or waits for an answer."""
        with self._lock:
            owner = self._taken.pop(run, None)
        if owner is not None:
            with contextlib.suppress(redis.RedisError):  # it is not renewed either
                self._leave(keys=[_PREFIX + owner], args=[run.id])

    def renew(self) -> None:
        """Those that have their turn go on. Raises ``redis.RedisError``."""
        with self._lock:
            taken = [*self._taken.items()]
        with self._redis.pipeline(transaction=False) as together:
            for run, owner in taken:
                self._renew(keys=[_PREFIX + owner], args=[run.id, _LEASE], client=together)
            together.execute()
