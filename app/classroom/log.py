"""The log of one class in the store, as events of the classroom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.classroom.events import TEACHER, Event
from app.store import Classes, ClassEvent


class Log:
    """``code`` is that of a class that is in the store. Raises :class:`app.store.UnavailableError` while that is not
    to be reached."""

    def __init__(self, code: str, store: Classes) -> None:
        self.code = code
        self._store = store

    def append(self, kind: str, who: str, data: Mapping[str, Any]) -> Event | None:
        """The event as it was written; None if the class has ended."""
        written = self._store.append(self.code, kind, {"who": who, "data": dict(data)})
        return None if written is None else _event(written)

    def read(self, after: int) -> list[Event]:
        """The events after number ``after``. Of a class that has ended nothing is left but that."""
        stored = self._store.find(self.code)
        if stored is None or stored.closed is not None:
            return [Event(after + 1, 0.0, "closed", TEACHER, {})]
        return [_event(one) for one in self._store.events(self.code, after)] if stored.last > after else []

    def delete(self) -> None:
        """End the class in the store: names, texts and all."""
        self._store.close(self.code)

    def pass_on(self, kind: str, data: Any) -> bool:
        """Whether the log itself tells what passes and is not kept: the store does not."""
        return False

    def close(self) -> None:
        """Nothing is held open."""


def _event(stored: ClassEvent) -> Event:
    return Event(stored.number, stored.time, stored.kind, stored.body["who"], stored.body["data"])
