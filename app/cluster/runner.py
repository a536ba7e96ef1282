"""Programs through workers on other machines, and through this one where there are none."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import Counter, deque
from typing import Any

import redis

from app.cluster.client import client
from app.cluster.crew import Crew, Member
from app.cluster.known import Found
from app.cluster.ledger import KEPT, Ledger, news_key
from app.cluster.packed import unpack_document
from app.cluster.reader import Reader
from app.cluster.remote import LOST, RemoteRun
from app.cluster.shares import SharedCounts
from app.cluster.tasks import Tasks
from app.cluster.turns import Turns
from app.cluster.wire import pack
from app.documents import Document
from app.runner import Measure, Request
from app.runner.interface import RunLike, RunnerLike
from app.runner.isolation import Isolation

log = logging.getLogger(__name__)

_KNOWN = "stepgraph:known:"
_LOOK, _HURRY = 1.0, 0.1
"""Seconds between two looks at the runs under way; where some wait for their owner's turn."""
AWAY = 3.0
"""Seconds without Redis, or without any worker, after which this process does the runs itself."""
_SOON = 5.0
"""Seconds after which the end of a run is not awaited any longer that will not be told: its worker has died and its
program had asked for input, or what was told is gone."""
_GIVEN_UP = 45.0
"""Seconds after which a run is taken back whose worker has died and that no other one has taken."""
_FIRST_GUESS, _WEIGHT = 0.3, 0.2


class ClusterRunner:
    """Looks like :class:`app.runner.Runner`. While there are workers they do the runs; without one, and while Redis is
    away, ``local`` does. Safe to use from any thread.

    A run that has been handed in ends in any case: its worker says so, or another one does it again, or it is taken
    back and done here, or it is said to have failed.
    """

    def __init__(self, local: RunnerLike, url: str) -> None:
        self._local = local
        self._redis = client(url)
        self._ledger = Ledger(self._redis)
        self._crew = Crew(self._redis)
        self._tasks = Tasks(self._redis)
        self._reader = Reader(client(url))
        self._turns = Turns(self._redis)
        self.shares = SharedCounts(self._redis)
        self._lock = threading.Lock()
        self._runs: dict[str, RemoteRun] = {}
        self._held: deque[RemoteRun] = deque()
        """Those whose owner has another one running."""
        self._missed: Counter[str] = Counter()
        """For how many looks in a row the worker of a run was not to be seen."""
        self._workers: list[Member] = []
        self._pace = _FIRST_GUESS
        self._looks = 0
        self._away_since: float | None = None
        self._alone_since: float | None = None
        self._closing = threading.Event()
        self._news = threading.Event()
        self._keeper: threading.Thread | None = None
        self._started = False

    # -- as a runner ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._local.start()
        with self._lock:
            if self._started:
                return
            self._started = True
        self._look_around()
        self._reader.start()
        self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)
        self._keeper.start()

    def close(self) -> None:
        """Take no more. What workers do goes on: who waits for it here still gets it, and every other web process can
        be asked for it."""
        self._closing.set()
        self._news.set()
        self._local.close()
        with self._lock:
            held, self._held = [*self._held], deque()
        try:
            for run in held:  # nobody will be here to see whose turn it is
                self._tasks.send(run.id)
        except redis.RedisError as error:
            self._lost(error)
        if self._keeper is not None and not self._under_way():
            self._keeper.join(_LOOK + 2)

    def isolation(self) -> Isolation:
        return self._local.isolation()

    def submit(self, request: Request) -> RunLike:
        return self._begin(request, None) or self._local.submit(request)

    def measure(self, request: Request, measure: Measure) -> RunLike:
        return self._begin(request, measure) or self._local.measure(request, measure)

    @property
    def away(self) -> bool:
        """Whether Redis could not be reached when it was last asked."""
        return self._away_since is not None

    @property
    def workers(self) -> int:
        """Workers that were alive when they were last looked for."""
        return len(self._workers)

    # -- runs of other processes ---------------------------------------------------------------------------------------

    def announce(self, id: str, session: str | None, run: RunLike) -> bool:
        """See :class:`app.cluster.known.KnownRuns`."""
        if not isinstance(run, RemoteRun) or run.is_here:
            return False
        try:
            known = {"run": run.id, "session": session, "measured": run.measure is not None}
            self._redis.set(_KNOWN + id, json.dumps(known), ex=KEPT)
        except redis.RedisError as error:
            self._lost(error)
            return False
        return True

    def announce_same(self, id: str, session: str | None, other: str) -> bool:
        """See :class:`app.cluster.known.KnownRuns`."""
        if self.away:
            return False
        try:
            stored = self._redis.get(_KNOWN + other)
            if stored is None:
                return False
            self._redis.set(_KNOWN + id, json.dumps({**json.loads(stored), "session": session}), ex=KEPT)
        except redis.RedisError as error:
            self._lost(error)
            return False
        return True

    def find(self, id: str) -> Found | None:
        """See :class:`app.cluster.known.KnownRuns`."""
        if self.away:
            return None
        try:
            stored = self._redis.get(_KNOWN + id)
            if stored is None:
                return None
            known: dict[str, Any] = json.loads(stored)
            with self._lock:
                followed = self._runs.get(known["run"])
            if followed is not None:  # under another id
                return Found(known["session"], followed)
            run = self._new(None, Measure() if known["measured"] else None, known["run"])
            said = self._ledger.news(run.id)
        except redis.RedisError as error:
            self._lost(error)
            return None
        for _, fields in said:
            run.receive(fields)
        if not run.is_final:
            self._look_after(run, after=said[-1][0].decode() if said else "0")
        return Found(known["session"], run)

    def forget(self, id: str) -> None:
        """See :class:`app.cluster.known.KnownRuns`."""
        try:
            self._redis.delete(_KNOWN + id)
        except redis.RedisError as error:
            self._lost(error)

    # -- handing in ----------------------------------------------------------------------------------------------------

    def _begin(self, request: Request, measure: Measure | None) -> RunLike | None:
        """The run, if a worker can do it."""
        self.start()
        if self.away or not self._workers or self._closing.is_set():
            return None
        run = self._new(request, measure)
        try:
            self._ledger.put(run.id, pack(request, measure))
            self._look_after(run)
            with self._lock:
                self._held.append(run)
            self._send_held()
        except redis.RedisError as error:
            self._lost(error)
            self._drop(run)
            return None
        return run

    def _new(self, request: Request | None, measure: Measure | None, id: str = "") -> RemoteRun:
        return RemoteRun(request, measure, order=self._order, stop=self._stop, fetch=self._fetch, id=id)

    def _look_after(self, run: RemoteRun, *, after: str = "0") -> None:
        with self._lock:
            self._runs[run.id] = run

        def receive(fields: Any) -> None:
            run.receive(fields)
            if run.is_final:
                self._ended(run)
            elif run.state == "asking":
                self._turns.leave(run)  # while it waits for an answer its owner may run another one
                self._news.set()

        self._reader.watch(news_key(run.id), receive, after=after)

    def _send_held(self) -> None:
        """Give those to the workers whose turn it is: of each owner one."""
        with self._lock:
            waiting, self._held = [*self._held], deque()
        kept: list[RemoteRun] = []
        owners: set[str] = set()
        try:
            while waiting:
                run = waiting[0]
                owner = run.request.owner if run.request else ""
                if not run.is_final and (owner in owners or not self._turns.take(run, owner)):
                    kept.append(run)
                    owners.add(owner)
                elif not run.is_final:
                    self._tasks.send(run.id)
                waiting.pop(0)
        finally:
            with self._lock:
                self._held.extendleft(reversed(kept + waiting))

    def _ended(self, run: RemoteRun) -> None:
        if run.began and not run.asked and run.state == "done" and run.measure is None:
            self._pace += _WEIGHT * (time.monotonic() - run.began - self._pace)
        self._drop(run)
        self._news.set()

    def _drop(self, run: RemoteRun) -> None:
        with self._lock:
            self._runs.pop(run.id, None)
            self._missed.pop(run.id, None)
            if run in self._held:
                self._held.remove(run)
        self._reader.leave(news_key(run.id))
        self._turns.leave(run)

    # -- what a run asks of us -----------------------------------------------------------------------------------------

    def _order(self, id: str, what: str, text: str) -> bool:
        try:
            self._ledger.order(id, what, text)
        except redis.RedisError as error:
            self._lost(error)
            return False
        return True

    def _stop(self, run: RemoteRun) -> bool:
        try:
            ended = self._ledger.cancel(run.id)
        except redis.RedisError as error:
            self._lost(error)
            ended = True  # whatever the worker says of it later is passed over
        if ended:
            self._drop(run)
            self._news.set()
        return ended

    def _fetch(self, id: str) -> Document | None:
        try:
            packed = self._ledger.document(id)
        except redis.RedisError as error:
            self._lost(error)
            return None
        return unpack_document(packed) if packed else None

    # -- looking after -------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        looked = 0.0
        while not self._closing.is_set() or self._under_way():
            self._news.wait(_HURRY if self._held else _LOOK)
            self._news.clear()
            try:
                if time.monotonic() - looked >= _LOOK:
                    looked = time.monotonic()
                    self._look_around()
                    if not self.away:
                        self._look_at_runs()
                if self._held and not self.away:
                    self._send_held()
            except redis.RedisError as error:
                self._lost(error)
            except Exception:
                log.exception("the runs under way could not be looked after")
        self._reader.close()
        # Threads of the web that have just seen their run end still give back its place: what they use stays open.
        self._redis.connection_pool.disconnect(inuse_connections=False)

    def _look_around(self) -> None:
        """Who is there."""
        now = time.monotonic()
        self._looks += 1
        try:
            self._workers = self._crew.living()
            self.shares.renew()
            self._turns.renew()
        except redis.RedisError as error:
            self._lost(error)
            assert self._away_since is not None
            if now - self._away_since >= AWAY:
                self._do_here(self._under_way(), "Redis is away")
            return
        if self._away_since is not None:
            log.warning("Redis is back")
            self._away_since = None
        self._alone_since = None if self._workers else self._alone_since or now
        if self._alone_since is not None and now - self._alone_since >= AWAY:
            self._do_here(self._under_way(), "there is no worker")

    def _look_at_runs(self) -> None:
        """What has become of them: places in the queue, workers that have died, what Redis has forgotten."""
        runs = self._under_way()
        slots = sum(member.slots for member in self._workers) or 1
        living = {member.name for member in self._workers}
        lost: list[RemoteRun] = []
        standing = self._ledger.standing([run.id for run in runs])
        for run, (state, by, asked, place) in zip(runs, standing, strict=True):
            if place and place != run.place:
                run.place, run.wait_seconds = place, place * self._pace / slots
                run.touch()
            if not state:
                self._again(run)
            elif state == "withdrawn":  # by another process, which had given it up
                self._give_up(run)
            elif state == "final" or (state == "taken" and by not in living):
                self._missed[run.id] += 1
                if self._missed[run.id] >= (_SOON if asked or state == "final" else _GIVEN_UP) / _LOOK:
                    lost.append(run)
            else:
                self._missed.pop(run.id, None)
        self._do_here(lost, "its worker is gone")
        if self._looks % 60 == 1:
            self._ledger.forget_lost()

    def _under_way(self) -> list[RemoteRun]:
        with self._lock:
            return [run for run in self._runs.values() if not run.is_here]

    def _again(self, run: RemoteRun) -> None:
        """Redis has forgotten it: it was restarted and keeps nothing. Whoever had it is not heard any more."""
        if run.request is None or run.asked or run.cancelled:
            self._give_up(run)
            return
        with self._lock:
            held = run in self._held
        self._ledger.put(run.id, pack(run.request, run.measure), attempt=run.attempt)
        if not held:
            self._turns.leave(run)
            with self._lock:
                self._held.appendleft(run)
        self._news.set()

    def _do_here(self, runs: list[RemoteRun], why: str) -> None:
        """Take runs back from the workers. A program that has asked is not run twice: its answers would be missing."""
        for run in runs:
            try:
                if not self.away:
                    self._ledger.take_back(run.id)
            except redis.RedisError as error:
                self._lost(error)
            log.warning("run %s is taken back: %s", run.id, why)
            request, measure = run.request, run.measure
            if request is None or run.asked or run.cancelled:
                self._give_up(run)
            elif measure is not None:
                run.run_here(lambda request=request, measure=measure: self._local.measure(request, measure))  # type: ignore[misc]
            else:
                run.run_here(lambda request=request: self._local.submit(request))  # type: ignore[misc]
            self._drop(run)

    def _give_up(self, run: RemoteRun) -> None:
        if run.cancelled:
            run.end("cancelled")
        else:
            run.end("failed", LOST)
        self._drop(run)

    def _lost(self, error: Exception) -> None:
        """Redis has not answered."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            log.warning("Redis cannot be reached: %s", error)
