"""A class as server-sent events.

Events: a section of the state whenever it has changed (``class``, ``place``, ``poll``, ``hall``, for a follower ``me``,
for the teacher ``tally``, ``people``, ``offers``), and what passes (``pointer``, ``zoom``; for the teacher ``steer``).
Data is JSON. The id is the number that the class has reached, so that a page that comes back is told only what has
changed.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

from app.classroom.classes import Classes
from app.classroom.live import Live
from app.classroom.views import Audience
from app.web.config import Config

_PAUSE: dict[Audience, float] = {"follower": 0.02, "teacher": 0.1, "projector": 0.1}
"""Seconds for which a page is left alone after it was told something: what happens meanwhile is told together."""


def class_events(
    classes: Classes,
    live: Live,
    audience: Audience,
    member: str | None,
    seen: int,
    heartbeat: float,
    closing: threading.Event,
) -> Iterator[str]:
    """Yield the events of a class for a page until it ends, the follower is removed, or the server closes."""
    yield "retry: 1000\n\n"
    # A number that the class has not reached is from another life of it: then everything is news.
    if seen > live.room.number:
        seen = 0
    if member is not None:
        classes.arrived(live, member)
    for passing in classes.follow(live, audience, timeout=heartbeat):
        number, changed = live.news(audience, member, seen)
        text = "".join(_event(name, data, number) for name, data in changed) + _passing(passing, audience)
        seen = number
        if passing and not text:  # it was for others
            continue
        yield text or ": still here\n\n"
        if closing.is_set() or live.room.closed or _removed(live, member):
            return
        if not text and member is not None:
            classes.arrived(live, member)
        if text:
            time.sleep(_PAUSE[audience])


def log_events(classes: Classes, live: Live, seen: int, heartbeat: float, closing: threading.Event) -> Iterator[str]:
    """Yield the class's log after number ``seen``, and whatever passes, for another instance that follows it."""
    for passing in classes.follow(live, "teacher", timeout=heartbeat):
        news = live.log.read(seen)
        for event in news:
            data = {"number": event.number, "time": event.time, "kind": event.kind, "who": event.who}
            yield _event("log", json.dumps({**data, "data": event.data}))
            seen = event.number
        for one in passing:
            yield "".join(_event(name, json.dumps(data)) for name, data in one.items())
        yield ": still here\n\n"
        if closing.is_set() or (news and news[-1].kind == "closed"):
            return


def heartbeat(config: Config) -> float:
    """Seconds after which a quiet stream says that it is there: pages take it for lost after a few of them."""
    return min(config.heartbeat, 5)


def _event(name: str, data: str, id: int | None = None) -> str:
    number = "" if id is None else f"id: {id}\n"
    return f"{number}event: {name}\ndata: {data}\n\n"


def _passing(passing: list[dict[str, Any]], audience: Audience) -> str:
    """Followers are told pointer and zoom, of which the newest counts; the teacher each press of a remote's button."""
    if audience == "teacher":
        kept = [one for one in passing if "steer" in one]
    elif audience == "follower":
        kept = list({name: one for one in passing for name in one}.values())
    else:
        kept = []
    return "".join(_event(name, json.dumps(data)) for one in kept for name, data in one.items())


def _removed(live: Live, member: str | None) -> bool:
    found = live.room.members.get(member) if member else None
    return member is not None and (found is None or found.removed)
