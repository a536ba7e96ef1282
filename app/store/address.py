"""Which database: ``DATABASE_URL``, or one file in the folder of the user's data."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from app.store.errors import StoreError

FILE = "stepgraph.sqlite3"


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the user's data lies: ``STEPGRAPH_DATA``, or where the system keeps such things.

    >>> data_folder({"STEPGRAPH_DATA": "/srv/stepgraph"}).as_posix()
    '/srv/stepgraph'
    """
    if chosen := environ.get("STEPGRAPH_DATA"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Stepgraph"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Stepgraph"
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "stepgraph"


def default_url(environ: Mapping[str, str] = os.environ) -> str:
    """The address of the database that the environment names.

    >>> default_url({"DATABASE_URL": "postgresql://db/stepgraph"})
    'postgresql://db/stepgraph'
    >>> default_url({"STEPGRAPH_DATA": "/srv/stepgraph"})
    'sqlite:////srv/stepgraph/stepgraph.sqlite3'
    """
    if named := environ.get("DATABASE_URL"):
        return named
    file = data_folder(environ).absolute() / FILE
    return URL.create("sqlite", database=file.as_posix()).render_as_string(hide_password=False)


def parsed(url: str) -> URL:
    """``url`` with the driver that is used here. Raises :class:`StoreError` for what is no database of ours.

    >>> parsed("postgres://ada@db/stepgraph").drivername
    'postgresql+psycopg'
    """
    try:
        found = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError("DATABASE_URL cannot be read: write postgresql://USER:PASSWORD@HOST/NAME.") from None
    kind = found.drivername.partition("+")[0]
    if kind == "sqlite":
        return found.set(drivername="sqlite+pysqlite")
    if kind in ("postgres", "postgresql"):
        return found.set(drivername="postgresql+psycopg")
    raise StoreError(f"There is no support for {kind!r}: DATABASE_URL names a PostgreSQL or an SQLite database.")
