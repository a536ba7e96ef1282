"""One class as a process holds it: its room up to date with the log, its sections as text, who is connected here."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from app.classroom import views
from app.classroom.log import Log
from app.classroom.relay import RelayedLog
from app.classroom.room import Room
from app.classroom.views import Audience
from app.rates import Flow

BURST, A_SECOND = 20, 4.0


class Live:
    """Thread-safe. Every reader of one section gets the same text, which is made once for each change."""

    def __init__(self, code: str, is_key: Callable[[str], bool], log: Log | RelayedLog) -> None:
        self.code = code
        self.is_key = is_key
        """Whether a key steers the class; compared in a time that does not depend on how nearly."""
        self.log = log
        self.lock = threading.RLock()
        self.room = Room()
        self._here: Counter[str] = Counter()
        """Open streams of each member in this process."""
        self._texts: dict[tuple[str, Audience], tuple[int, str]] = {}
        self._flow = Flow(burst=BURST, a_second=A_SECOND)

    def catch_up(self, number: int | None = None) -> None:
        """Read what the log has and this process has not; nothing if ``number`` has been reached here already."""
        with self.lock:
            if self.room.closed or (number is not None and self.room.number >= number):
                return
            for event in self.log.read(self.room.number):
                self.room.apply(event)

    def write(self, kind: str, who: str, data: Mapping[str, Any]) -> tuple[int, str]:
        """Write an event if it fits: its number and "", else 0 and why it does not."""
        with self.lock:
            refusal = self.room.refusal(kind, who, data)
            if refusal:
                return 0, refusal
            event = self.log.append(kind, who, data)
            if event is not None and event.number == self.room.number + 1:
                self.room.apply(event)
            else:  # another process wrote meanwhile, or ended the class
                self.catch_up()
            return (event.number, "") if event else (0, "This class is over.")

    def news(self, audience: Audience, member: str | None, seen: int) -> tuple[int, list[tuple[str, str]]]:
        """The number that the class has reached, and names and JSON texts of the sections that have changed since
        number ``seen`` for ``audience``; for a ``member`` also ``me``."""
        with self.lock:
            room = self.room
            if room.number == seen:
                return seen, []
            changed = [
                (name, self._text(name, audience))
                for name in views.SECTIONS[audience]
                if room.touched.get(name, 0) > seen
            ]
            found = room.members.get(member) if member else None
            if member and found and max(found.touched, room.touched.get("poll", 0)) > seen:
                changed.append(("me", json.dumps(views.me(room, member))))
            return room.number, changed

    def may_send(self, member: str) -> bool:
        return self._flow.take(member) == 0

    def enter(self, member: str) -> None:
        """A stream of ``member`` has been opened here."""
        with self.lock:
            self._here[member] += 1

    def leave(self, member: str) -> bool:
        """One has been closed; whether it was the last."""
        with self.lock:
            self._here[member] -= 1
            last = self._here[member] <= 0
            if last:
                del self._here[member]
            return last

    def _text(self, name: str, audience: Audience) -> str:
        version = self.room.touched.get(name, 0)
        known = self._texts.get((name, audience))
        if known is not None and known[0] == version:
            return known[1]
        data: Any = views.section(self.room, name, audience)
        text = json.dumps(data, separators=(",", ":"))
        self._texts[name, audience] = version, text
        return text
