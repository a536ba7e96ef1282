"""Brings a database to this version's tables. Alembic's files lie in ``versions``, one a change, never edited later."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from app.store.errors import StoreError


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run what is missing, in the transaction of ``connection``. Raises :class:`StoreError` for a newer database."""
    config = _config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError:
        raise StoreError(
            "The database was made by a newer Stepgraph. Install that version or newer, or name another database."
        ) from None


def revisions() -> tuple[str, ...]:
    """The names of the migrations, oldest first.

    >>> revisions()[0]
    '0001'
    """
    return tuple(script.revision for script in reversed(list(ScriptDirectory.from_config(_config()).walk_revisions())))


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
