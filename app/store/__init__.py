"""What outlives a request: programs behind short links, classes and their events.

One SQLite file by default, PostgreSQL with ``DATABASE_URL``; why: docs/decisions/0009-storage.md. Nothing here knows
Flask, and nobody else knows SQLAlchemy.
"""

from __future__ import annotations

from app.store.address import data_folder, default_url
from app.store.classes import Classes, ClassEvent, StoredClass
from app.store.database import Database
from app.store.errors import FullError, StoreError, UnavailableError
from app.store.programs import Programs, StoredProgram

__all__ = [
    "ClassEvent",
    "Classes",
    "Database",
    "FullError",
    "Programs",
    "StoreError",
    "StoredClass",
    "StoredProgram",
    "UnavailableError",
    "data_folder",
    "default_url",
]
