"""Classes as logs of numbered events. What an event means is the classroom's business."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.store.database import Database
from app.store.tables import class_events, classes


@dataclass(frozen=True)
class ClassEvent:
    """``number`` counts from 1 within a class; ``time``: seconds since 1970; ``body``: JSON."""

    number: int
    time: float
    kind: str
    body: dict[str, Any]


@dataclass(frozen=True)
class StoredClass:
    """``last`` is the number of its newest event, 0 before the first; ``closed`` is None while it is open."""

    code: str
    key_digest: bytes
    created: float
    closed: float | None
    last: int

    def opens_with(self, key: str) -> bool:
        """Whether ``key`` is the teacher's."""
        return hmac.compare_digest(self.key_digest, _digest(key))


class Classes:
    """The stored classes and their events.

    >>> kept = Classes(Database("sqlite://"))
    >>> kept.open("ABCD", key="a long secret")
    True
    >>> kept.append("ABCD", "opened", {"lesson": "chain-rule"}).number
    1
    >>> [event.kind for event in kept.events("ABCD", after=0)]
    ['opened']
    """

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def open(self, code: str, *, key: str) -> bool:
        """A new class under ``code``; False if the code is taken. Of the teacher's key only a digest is stored."""
        row = {"code": code, "key_digest": _digest(key), "created": self._clock(), "closed": None, "last": 0}
        try:
            with self._database.writing() as connection:
                connection.execute(insert(classes).values(row))
        except IntegrityError:
            return False
        return True

    def find(self, code: str) -> StoredClass | None:
        """The class with this code; None if there is none."""
        with self._database.reading() as connection:
            row = connection.execute(select(classes).where(classes.c.code == code)).first()
        return None if row is None else StoredClass(**row._asdict())

    def append(self, code: str, kind: str, body: dict[str, Any]) -> ClassEvent | None:
        """The next event of an open class, with its number; None if there is no such class or it is closed."""
        now = self._clock()
        following = (
            update(classes)
            .where(classes.c.code == code, classes.c.closed.is_(None))
            .values(last=classes.c.last + 1)
            .returning(classes.c.last)
        )
        with self._database.writing() as connection:
            # The row of the class is held until the end of the transaction, so numbers have no gaps and no twins.
            number = connection.scalar(following)
            if number is None:
                return None
            event = ClassEvent(number, now, kind, body)
            connection.execute(insert(class_events).values(code=code, number=number, time=now, kind=kind, body=body))
        return event

    def events(self, code: str, after: int = 0) -> list[ClassEvent]:
        """The events with numbers above ``after``, in order."""
        columns = (class_events.c.number, class_events.c.time, class_events.c.kind, class_events.c.body)
        wanted = select(*columns).where(class_events.c.code == code, class_events.c.number > after)
        with self._database.reading() as connection:
            return [ClassEvent(*row) for row in connection.execute(wanted.order_by(class_events.c.number))]

    def close(self, code: str) -> None:
        """End a class: its events, and with them every name and text, are deleted."""
        with self._database.writing() as connection:
            now = self._clock()
            connection.execute(update(classes).where(classes.c.code == code).values(closed=now))
            connection.execute(delete(class_events).where(class_events.c.code == code))

    def forget(self, before: float) -> int:
        """Delete the classes that were opened before that time, with all that is in them; returns how many."""
        with self._database.writing() as connection:
            return connection.execute(delete(classes).where(classes.c.created < before)).rowcount


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
