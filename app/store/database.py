"""One database: connections, transactions, migrations. SQLite and PostgreSQL behave alike behind it."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.pool import QueuePool

from app.store.address import parsed
from app.store.errors import FullError, StoreError, UnavailableError

_PATIENCE = 10
"""Seconds for which a writer waits for another one, and for which a connection is waited for."""
_CONNECT = 3
_MIGRATING = 0x5347_0001
"""The advisory lock under which one process migrates a PostgreSQL database while others wait."""


class Database:
    """A database by its address (:func:`app.store.address.default_url`). Nothing is opened before it is first used.

    Whatever state it is found in, it is brought to this version's tables first. While it cannot be reached every use
    raises :class:`UnavailableError`, and the next one tries again.

    >>> database = Database("sqlite://")
    >>> with database.writing() as connection:
    ...     connection.scalar(text("SELECT 1 + 1"))
    2
    >>> database.close()
    """

    def __init__(self, url: str) -> None:
        self._url = parsed(url)
        self._lock = threading.Lock()
        self._ready = False
        self._turn: contextlib.AbstractContextManager[Any] = (
            contextlib.nullcontext() if self.is_shared else threading.Lock()
        )
        """SQLite has one writer at a time. Its own way of waiting is to sleep and look again: with threads of one
        process that costs two thirds of the throughput, and the unlucky wait longest."""
        self._engine = self._make_engine()

    @property
    def is_shared(self) -> bool:
        """Whether several machines can share it."""
        return self._url.get_backend_name() == "postgresql"

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of everything."""
        with self._transaction(writes=False) as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that changes something, all of it or with an exception nothing. Never one within another."""
        with self._transaction(writes=True) as connection:
            yield connection

    def check(self) -> None:
        """Raises :class:`StoreError` when it cannot be used now."""
        with self.reading() as connection:
            connection.execute(text("SELECT 1"))

    def close(self) -> None:
        """Give the connections back. A later use opens new ones."""
        self._engine.dispose()

    @contextlib.contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        with _plainly():
            if not self._ready:
                self._prepare()
            with self._turn if writes else contextlib.nullcontext(), self._engine.connect() as opened:
                connection = opened.execution_options(stepgraph_writes=writes)
                with connection.begin():
                    yield connection

    def _prepare(self) -> None:
        """Migrate, once for this process; other processes may be at it too."""
        with self._lock:
            if self._ready:
                return
            from app.store.migrations import upgrade  # Alembic takes a while to load: only who stores something waits

            self._make_folder()
            with self._engine.connect() as opened:
                connection = opened.execution_options(stepgraph_writes=True)
                with connection.begin():
                    if self.is_shared:
                        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
                    upgrade(connection)
            self._ready = True

    def _make_folder(self) -> None:
        name = self._url.database
        if self.is_shared or not name or name == ":memory:":
            return
        try:
            Path(name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise UnavailableError(
                f"The folder for stored programs cannot be made ({error.strerror}): STEPGRAPH_DATA names another one."
            ) from None

    def _make_engine(self) -> Engine:
        try:
            return self._postgresql() if self.is_shared else self._sqlite()
        except (ModuleNotFoundError, NoSuchModuleError):
            raise StoreError("PostgreSQL needs its driver: pip install 'stepgraph[scale]'.") from None

    def _postgresql(self) -> Engine:
        return create_engine(
            self._url,
            pool_pre_ping=True,  # a connection that a restart of the server has cut is replaced, not handed out
            pool_timeout=_PATIENCE,
            connect_args={"connect_timeout": _CONNECT, "options": f"-c lock_timeout={_PATIENCE}s"},
        )

    def _sqlite(self) -> Engine:
        in_memory = self._url.database in (None, "", ":memory:")
        engine = create_engine(
            self._url,
            poolclass=QueuePool,
            # In memory every connection would be a database of its own: there is one, and threads take turns.
            pool_size=1 if in_memory else 5,
            max_overflow=0 if in_memory else 10,
            pool_timeout=_PATIENCE,
            connect_args={"check_same_thread": False, "timeout": _PATIENCE},
        )
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "begin", _begin)
        return engine


def _set_up(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # Python's own idea of when a transaction begins is switched off: see _begin
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: Connection) -> None:
    # A transaction that reads first and writes then may find that another one wrote in between, and fail at once.
    writes = connection.get_execution_options().get("stepgraph_writes", True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _is_full(error: BaseException | None) -> bool:
    """Whether a disk is full: SQLite's own code, PostgreSQL's disk_full."""
    return (
        getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL or getattr(error, "sqlstate", None) == "53100"
    )


@contextlib.contextmanager
def _plainly() -> Iterator[None]:
    """The driver's failures as ours: what the caller can do about them, without addresses or statements."""
    try:
        yield
    except NoConnectionError as error:
        raise UnavailableError("The database is busy: try again in a few seconds.") from error
    except OperationalError as error:
        if _is_full(error.orig):
            raise FullError("There is no room left on the server's disk: ask whoever runs it to make some.") from error
        raise UnavailableError("The database cannot be reached now: try again in a few seconds.") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise UnavailableError("The database has gone away: try again in a few seconds.") from error
        raise
