"""Programs by their content: whoever stores the same one gets the same id, and it is stored once."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from app.store.database import Database
from app.store.errors import FullError
from app.store.tables import programs

SHORT = 12
"""Characters of an id, 5 bits each: more only where two programs share that many."""
MOST_BYTES = 1 << 30
"""What all programs together may take."""


@dataclass(frozen=True)
class StoredProgram:
    """``options`` is what the one who stored it wants kept beside it, as JSON. ``created``: seconds since 1970."""

    id: str
    source: str
    options: dict[str, Any]
    created: float


class Programs:
    """The stored programs.

    >>> kept = Programs(Database("sqlite://"))
    >>> id = kept.put("print(1)", {"step": 3})
    >>> id == kept.put("print(1)", {"step": 3}), id == kept.put("print(1)", {"step": 4}), len(id)
    (True, False, 12)
    >>> kept.get(id).source
    'print(1)'
    """

    def __init__(
        self, database: Database, *, most_bytes: int = MOST_BYTES, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._most_bytes = most_bytes
        self._clock = clock

    def put(self, source: str, options: dict[str, Any]) -> str:
        """The id under which this is stored from now on. Raises :class:`FullError`, :class:`UnavailableError`."""
        content = json.dumps([source, options], sort_keys=True, separators=(",", ":")).encode()
        digest = hashlib.sha256(content).digest()
        with self._database.reading() as connection:
            if (known := _id_of(connection, digest)) is not None:
                return known
            used = connection.scalar(select(func.sum(programs.c.size)))
        if (used or 0) + len(content) > self._most_bytes:
            raise FullError("No more programs can be stored here: ask whoever runs this server to make room.")
        row = {
            "digest": digest,
            "source": source,
            "options": options,
            "size": len(content),
            "created": self._clock(),
        }
        while True:
            try:
                with self._database.writing() as connection:
                    if (known := _id_of(connection, digest)) is not None:
                        return known
                    id = _free_id(connection, digest)
                    connection.execute(insert(programs).values(id=id, **row))
                    return id
            except IntegrityError:  # another process stored the same, or the same id, between the look and the insert
                continue

    def get(self, id: str) -> StoredProgram | None:
        """The program stored under ``id``; None if there is none. Raises :class:`UnavailableError`."""
        columns = (programs.c.source, programs.c.options, programs.c.created)
        with self._database.reading() as connection:
            row = connection.execute(select(*columns).where(programs.c.id == id)).first()
        return None if row is None else StoredProgram(id, row.source, row.options, row.created)


def _id_of(connection: Connection, digest: bytes) -> str | None:
    found: str | None = connection.scalar(select(programs.c.id).where(programs.c.digest == digest))
    return found


def _free_id(connection: Connection, digest: bytes) -> str:
    """The shortest beginning of the digest, written in letters and digits, that is no other program's id."""
    letters = base64.b32encode(digest).decode().lower().rstrip("=")
    wanted = [letters[:n] for n in range(SHORT, len(letters) + 1)]
    taken = set(connection.scalars(select(programs.c.id).where(programs.c.id.in_(wanted))))
    return next(id for id in wanted if id not in taken)
