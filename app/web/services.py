"""What the views work with, made once for each application."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import current_app

if TYPE_CHECKING:
    from app.bus import Bus
    from app.classroom import Classes
    from app.store import Database
    from app.web.assets import Assets
    from app.web.classrecordings import ClassRecordings
    from app.web.condition import Condition
    from app.web.config import Config
    from app.web.desk import Desk
    from app.web.lessons import Shelf
    from app.web.recorded import RecordedExamples, Recordings
    from app.web.sharing import Sharing

_KEY = "stepgraph"


@dataclass
class Services:
    """``streams`` and ``waiters`` count the free places for requests that stay open."""

    config: Config
    desk: Desk
    examples: RecordedExamples
    recordings: Recordings
    lessons: Shelf
    assets: Assets
    bus: Bus
    classes: Classes
    class_recordings: ClassRecordings
    sharing: Sharing
    database: Database
    condition: Condition
    streams: threading.Semaphore
    waiters: threading.Semaphore
    elsewhere: Callable[[str], bytes | None] = lambda id: None
    """The document of a run that another process has (:meth:`app.web.neighbours.Neighbours.document`)."""

    @property
    def closing(self) -> threading.Event:
        return self.desk.closing

    def close(self) -> None:
        """Stop the runs and end the streams."""
        self.desk.closing.set()
        self.condition.close()
        self.bus.close()
        self.desk.close()
        self.database.close()


def services() -> Services:
    """The services of the application that answers the current request."""
    found = current_app.extensions[_KEY]
    assert isinstance(found, Services)
    return found
