"""All classes of this server: opening, sending, following, ending."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from app import store
from app.bus import Bus, BusError
from app.classroom import secrets
from app.classroom.errors import ClassroomError
from app.classroom.events import PASSING, PRESENCE, TEACHER, read_event
from app.classroom.live import Live
from app.classroom.log import Log
from app.classroom.relay import Relay
from app.classroom.room import Program
from app.classroom.views import Audience

log = logging.getLogger(__name__)

KEPT = 500
"""Classes that a process holds in memory; any other is read from its log when it is asked for."""
LASTS = 24 * 3600.0
"""Seconds after which a class ends by itself."""
_TRIES = 20

PRIVATE = frozenset({"joined", "left", "resumed", "hand", "voted", "offered"})
"""What changes nothing that other followers see: a hall of 300 is not woken for each vote of each of them."""


@dataclass(frozen=True)
class Opened:
    """A new class: the ``code`` is for everybody, the ``key`` for its teacher alone, once: only its digest is kept."""

    code: str
    key: str


class Classes:
    """``alone``: no other process serves these classes, so whoever was connected before this one began is not now.
    ``relay``: the instance at which classes are opened; this one follows them."""

    def __init__(
        self,
        store: store.Classes,
        bus: Bus,
        *,
        alone: bool = True,
        relay: Relay | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._relay = relay
        self._bus = bus
        self._alone = alone
        self._clock = clock
        self._lock = threading.Lock()
        self._lives: OrderedDict[str, Live] = OrderedDict()

    def open(self, program: Program, *, title: str = "", notes: str = "") -> Opened:
        """Open a class on a program. Those that were opened more than a day ago end now at the latest."""
        data = {**program.data(), "title": title, "notes": notes}
        if self._relay is not None:
            opened = Opened(*self._relay.open(data))
            self.live(opened.code, opened.key)
            return opened
        self._store.forget(self._clock() - LASTS)
        key = secrets.new_key()
        for _ in range(_TRIES):
            code = secrets.new_code()
            if self._store.open(code, key=key):
                Log(code, self._store).append("opened", TEACHER, data)
                return Opened(code, key)
        raise ClassroomError("refused", "No free code was found. Try again.")

    def live(self, code: str, key: str | None = None) -> Live:
        """The class, up to date; one that a relay keeps is taken up with its ``key``. Raises :class:`ClassroomError`
        (missing)."""
        with self._lock:
            found = self._lives.get(code)
            if found is not None:
                self._lives.move_to_end(code)
        if found is None:
            found = self._load(code, key)
        elif not self._alone:  # what another process wrote, a follower who has just joined there, say
            found.catch_up()
        self._end_in_time(found)
        return found

    def write_for(self, live: Live, who: str, kind: Any, data: Any) -> int:
        """The same as :meth:`send` for an instance that follows this class: it speaks for its followers, too, and has
        seen to it that none of them sends too often."""
        if kind in PRESENCE and who != TEACHER:
            return self.write(live, kind, who, PRESENCE[kind]("data", data))
        return self._write_checked(live, who, kind, data)

    def join(self, live: Live, member: str | None, name: str | None) -> str:
        """Join, come back, or change one's name; returns the member's id."""
        known = member if member in live.room.members else None
        id = known or secrets.new_member()
        if not live.may_send(id):
            raise ClassroomError("often", "That was too often.")
        self.write(live, "joined", id, {"name": name})
        return id

    def send(self, live: Live, who: str, kind: Any, data: Any) -> int:
        """Check and write an event that came from a page; returns its number. Raises :class:`ClassroomError`."""
        if who != TEACHER and not live.may_send(who):
            raise ClassroomError("often", "That was too often.")
        return self._write_checked(live, who, kind, data)

    def _write_checked(self, live: Live, who: str, kind: Any, data: Any) -> int:
        checked = read_event(kind, data, teacher=who == TEACHER)
        return self.close(live) if kind == "closed" else self.write(live, kind, who, checked)

    def write(self, live: Live, kind: str, who: str, data: Mapping[str, Any]) -> int:
        """Write an event as it is, if it fits; returns its number. Raises :class:`ClassroomError` (refused)."""
        number, refusal = live.write(kind, who, data)
        if refusal:
            raise ClassroomError("refused", refusal)
        self._tell(live.code, {"n": number}, public=kind not in PRIVATE)
        return number

    def tell(self, live: Live, kind: str, data: Any) -> None:
        """Tell what passes and is not kept: pointer, zoom, a remote's buttons."""
        if kind not in PASSING:
            raise ClassroomError("bad", f'"kind" must be one of {", ".join(PASSING)}.')
        checked = PASSING[kind](kind, data)
        if not live.log.pass_on(kind, checked):
            self._tell(live.code, {kind: checked}, public=kind != "steer")

    def close(self, live: Live) -> int:
        """End the class: names, texts, programs and votes are deleted."""
        number = self.write(live, "closed", TEACHER, {})
        live.log.delete()
        return number

    def follow(self, live: Live, audience: Audience, *, timeout: float) -> Iterator[list[dict[str, Any]]]:
        """What passes (pointer, zoom, steer), for ever; the room is up to date whenever something comes.

        An empty list comes at once, and after ``timeout`` seconds of silence. That the bus is away costs time, not
        events: then the log is looked at in every silence.
        """
        channel = _channel(live.code, audience)
        after = self._bus.last(channel)
        live.catch_up()
        yield []
        for news in self._bus.subscribe(channel, after, timeout=timeout):
            told: list[dict[str, Any]] = [json.loads(message.text) for message in news]
            newest = max((one["n"] for one in told if "n" in one), default=None)
            if newest is not None or not news:
                live.catch_up(newest)
            if not news:
                self._end_in_time(live)
            yield [one for one in told if "n" not in one]

    def arrived(self, live: Live, member: str) -> None:
        """A stream of ``member`` has begun, or still goes on."""
        found = live.room.members.get(member)
        if found is not None and not found.present and not found.removed:
            self._try(live, "joined", member, {"name": None})

    def left(self, live: Live, member: str) -> None:
        """A stream of ``member`` has ended; with the last one in this process they have left."""
        found = live.room.members.get(member)
        if live.leave(member) and found is not None and found.present:
            self._try(live, "left", member, {})

    def _try(self, live: Live, kind: str, who: str, data: Mapping[str, Any]) -> None:
        try:
            self.write(live, kind, who, data)
        except ClassroomError as error:
            log.info("presence was not noted: %s", error)

    def _tell(self, code: str, message: Mapping[str, Any], *, public: bool) -> None:
        self._publish(_channel(code, "teacher"), message)
        if public:
            self._publish(_channel(code, "follower"), message)

    def _publish(self, channel: str, message: Mapping[str, Any]) -> None:
        try:
            self._bus.publish(channel, json.dumps(message))
        except BusError as error:
            log.warning("%s; pages will see it when they next look", error)

    def _load(self, code: str, key: str | None) -> Live:
        stored = self._store.find(code)
        relayed = self._relay.log(code, key) if stored is None and self._relay is not None and key else None
        if stored is not None:
            fresh = Live(code, stored.opens_with, Log(code, self._store))
        elif relayed is not None:
            fresh = Live(code, relayed.opens_with, relayed)
        else:
            raise ClassroomError("missing", "There is no class with this code.")
        with self._lock:
            live = self._lives.setdefault(code, fresh)
            while len(self._lives) > KEPT:
                self._lives.popitem(last=False)[1].log.close()
        if live is fresh and relayed is not None:
            relayed.follow(partial(self._heard, code))
        live.catch_up()
        if live is fresh and stored is not None and self._alone and live.room.following:
            self._try(live, "resumed", TEACHER, {})
        return live

    def _heard(self, code: str, name: str, what: Any) -> None:
        """What the relay tells of a class that it keeps."""
        if name == "log":
            self._tell(code, {"n": what.number}, public=what.kind not in PRIVATE)
        else:
            self._tell(code, {name: what}, public=name != "steer")

    def _end_in_time(self, live: Live) -> None:
        """A class that was opened too long ago ends with the next look at it, and with it all others of its age."""
        room, oldest = live.room, self._clock() - LASTS
        if room.number and not room.closed and room.opened < oldest:
            self._store.forget(oldest)
            live.catch_up()


def _channel(code: str, audience: Audience) -> str:
    """Followers hear what concerns all of them; the teacher and the projector hear of every event."""
    return f"class:{code}:public" if audience == "follower" else f"class:{code}"
