"""The task queue: Dramatiq on Redis, which keeps a run until the worker that took it has done it.

The only module that knows Dramatiq. A message holds the name of a run; all else stands in the ledger.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from dramatiq.worker import Worker

_QUEUE = "runs"
_ACTOR = "run"
DEAD_AFTER = 10_000
"""Milliseconds of silence after which what a worker has taken is given to others. It asks for work every second."""
_MAINTENANCE = 100_000
"""Of a million looks into the queue so many also look for workers that have died."""
_LOOK = 50
"""Milliseconds between two looks of a worker that has nothing to do."""


def _broker(client: Any) -> RedisBroker:
    # None of Dramatiq's middleware: retries, deadlines and results are the ledger's and the runner's business.
    broker: RedisBroker = RedisBroker(  # type: ignore[no-untyped-call]
        client=client,
        middleware=[],
        namespace="stepgraph:tasks",
        heartbeat_timeout=DEAD_AFTER,
        maintenance_chance=_MAINTENANCE,
    )
    broker.declare_queue(_QUEUE)
    return broker


class Tasks:
    """The end where runs are put in. Raises ``redis.RedisError``."""

    def __init__(self, client: Any) -> None:
        self._broker = _broker(client)

    def send(self, id: str) -> None:
        """Some worker is to do the run ``id``."""
        message: dramatiq.Message[None] = dramatiq.Message(
            queue_name=_QUEUE, actor_name=_ACTOR, args=(id,), kwargs={}, options={}
        )
        self._broker.enqueue(message)


class TaskWorker:
    """The other end: ``perform`` is called with the name of a run, for ``slots`` runs at a time. A run is given to
    another worker if this one dies before ``perform`` returns."""

    def __init__(self, client: Any, perform: Callable[[str], None], slots: int) -> None:
        broker = _broker(client)
        dramatiq.actor(broker=broker, actor_name=_ACTOR, queue_name=_QUEUE)(perform)
        self._worker = Worker(broker, worker_timeout=_LOOK, worker_threads=slots)
        # None is taken that would have to wait here while another machine has nothing to do.
        self._worker.queue_prefetch = slots

    def start(self) -> None:
        self._worker.start()

    def stop(self, seconds: float) -> None:
        """Take no more; wait so long for what is being done."""
        self._worker.stop(timeout=int(seconds * 1000))
