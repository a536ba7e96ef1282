"""What a server that leans on others has lost, in words for the page: looked at every few seconds, told at once."""

from __future__ import annotations

import logging
import threading
from typing import Protocol

from app.bus import Bus, BusError
from app.store import Database, StoreError

log = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two looks."""
_STORE = "The server has lost its store: short links and classes wait until it is back. Programs and pages go on."
_BUS = (
    "The server has lost touch with its other machines: programs run on this one and may wait longer, "
    "and classes see a step some seconds late."
)
_WORKERS = "None of the machines that run programs answers: they run on this one, and may wait longer."


class Crew(Protocol):
    """What is to be known of the workers (:class:`app.cluster.runner.ClusterRunner`)."""

    @property
    def workers(self) -> int: ...


class Condition:
    """What works of that which this process leans on. ``crew`` is None where programs run in this process alone.

    With ``watched`` a thread looks; without, nothing can go away that the page would have to be told of.
    """

    def __init__(self, database: Database, bus: Bus, crew: Crew | None, *, watched: bool) -> None:
        self._database, self._bus, self._crew = database, bus, crew
        self.watched = watched
        self._had_workers = False
        self._text = ""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="condition", daemon=True)
        if watched:
            self._thread.start()

    def parts(self) -> dict[str, str]:
        """``store`` and ``bus`` are ``ok`` or ``away``, asked now; with workers also how many of them there are."""
        # What exactly is wrong goes to the log: anybody may ask here.
        found = {"store": "ok", "bus": "ok"}
        try:
            self._database.check()
        except StoreError as error:
            log.warning("the store is away: %s", error)
            found["store"] = "away"
        try:
            self._bus.check()
        except BusError as error:
            log.warning("the bus is away: %s", error)
            found["bus"] = "away"
        if self._crew is not None:
            self._had_workers = self._had_workers or self._crew.workers > 0
            found["workers"] = str(self._crew.workers)
        return found

    @property
    def text(self) -> str:
        """What is away, in sentences; "" if all is well."""
        return self._text

    def look(self) -> None:
        """See what is away."""
        parts = self.parts()
        gone = [_STORE] * (parts["store"] == "away") + [_BUS] * (parts["bus"] == "away")
        if parts["bus"] == "ok" and parts.get("workers") == "0" and self._had_workers:
            gone.append(_WORKERS)
        self._text = " ".join(gone)

    def close(self) -> None:
        """Look no more. To be called before what is looked at is closed, which a look would open again."""
        self._closing.set()
        if self.watched:
            self._thread.join(5)

    def _watch(self) -> None:
        while True:
            try:
                self.look()
            except Exception:
                log.exception("what is away could not be seen")
            if self._closing.wait(EVERY):
                return
