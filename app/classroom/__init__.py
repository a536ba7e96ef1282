"""A live class: an event log, and the state that follows from it (docs/classroom.md). Knows no Flask."""

from __future__ import annotations

from app.classroom.classes import Classes, Opened
from app.classroom.errors import ClassroomError
from app.classroom.events import Event
from app.classroom.room import Program, Room

__all__ = ["Classes", "ClassroomError", "Event", "Opened", "Program", "Room"]
