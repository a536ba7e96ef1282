"""Addresses, migrations, transactions, and a database that goes away."""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, inspect, select, text

from app.store import Classes, Database, Programs, StoreError, UnavailableError, default_url
from app.store.migrations import revisions, upgrade
from app.store.tables import classes, metadata
from tests.servers import PostgresServer, missing, postgresql_programs


def test_migrations_make_the_tables_that_the_code_expects(database: Database) -> None:
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == revisions()[-1]
        unique = inspect(connection).get_pk_constraint("class_events")["constrained_columns"]
    assert unique == ["code", "number"]


def test_migrating_again_changes_nothing_and_keeps_what_is_there(database_url: str) -> None:
    first = Database(database_url)
    id = Programs(first).put("print(1)", {})
    first.close()
    second = Database(database_url)
    with second.writing() as connection:
        upgrade(connection)
    assert Programs(second).get(id) is not None
    second.close()


def test_a_database_of_a_newer_version_is_left_alone(database_url: str) -> None:
    first = Database(database_url)
    with first.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    first.close()
    second = Database(database_url)
    with pytest.raises(StoreError, match="newer Stepgraph"):
        second.check()
    second.close()


def test_processes_that_start_together_migrate_once(database_url: str) -> None:
    failures: list[Exception] = []

    def begin() -> None:
        database = Database(database_url)
        try:
            database.check()
        except Exception as error:
            failures.append(error)
        finally:
            database.close()

    threads = [threading.Thread(target=begin) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failures == []


def test_a_transaction_that_fails_keeps_nothing(database: Database) -> None:
    row = {"code": "A", "key_digest": b"", "created": 0.0, "last": 0}

    def change() -> None:
        with database.writing() as connection:
            connection.execute(insert(classes).values(row))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    with database.reading() as connection:
        assert connection.scalar(select(classes.c.code)) is None


def test_in_memory_threads_share_one_database() -> None:
    database = Database("sqlite://")
    ids: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: ids.append(Programs(database).put(str(n), {})))  # type: ignore[misc]
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(ids) == 8
    assert all(Programs(database).get(id) for id in ids)
    database.close()


def test_the_file_lies_where_the_environment_says_and_readers_do_not_stop_a_writer(tmp_path: Path) -> None:
    folder = tmp_path / "a folder" / "with % and ?"
    database = Database(default_url({"STEPGRAPH_DATA": str(folder)}))
    id = Programs(database).put("x", {})
    assert (folder / "stepgraph.sqlite3").is_file()
    if os.name == "posix":
        assert folder.stat().st_mode & 0o077 == 0
    with database.reading() as connection:
        connection.execute(text("SELECT count(*) FROM programs"))
        assert Programs(database).put("y", {}) != id
        assert connection.scalar(text("SELECT count(*) FROM programs")) == 1
    database.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://db/x", "no support for 'mysql'"),
        ("nonsense", "cannot be read"),
        ("postgresql://host:port/x", "cannot be read"),
    ],
)
def test_an_address_that_is_none_says_what_to_write(url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        Database(url)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    database = Database(default_url({"STEPGRAPH_DATA": str(tmp_path / "file" / "below")}))
    with pytest.raises(UnavailableError, match="STEPGRAPH_DATA"):
        database.check()
    database.close()


def test_a_server_that_goes_away_is_found_again_without_a_restart() -> None:
    programs = postgresql_programs()
    if programs is None:
        return missing("postgresql")
    with tempfile.TemporaryDirectory(prefix="stepgraph-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(programs, Path(folder))
        database = Database(server.url())
        with pytest.raises(UnavailableError):
            database.check()
        server.start()
        try:
            kept = Classes(database)
            assert kept.open("A", key="k")
            server.stop()
            with pytest.raises(UnavailableError) as caught:
                kept.find("A")
            assert str(server.port) not in str(caught.value)
            server.start()
            assert kept.find("A") is not None
        finally:
            server.stop()
            database.close()
    return None
