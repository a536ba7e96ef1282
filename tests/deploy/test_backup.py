"""Backup and restore as docs/deploy.md says, with the programs it names, while the store is in use."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from app.store import Classes, Database, Programs
from tests.servers import PostgresServer, missing, postgresql_programs


def fill(database: Database) -> tuple[str, str]:
    program = Programs(database).put("print(1)\n", {"step": 3})
    classes = Classes(database)
    assert classes.open("ABCD", key="k")
    classes.append("ABCD", "opened", {"title": "Ä <b>"})
    return program, "ABCD"


def is_all_there(database: Database, program: str, code: str) -> None:
    found = Programs(database).get(program)
    assert found is not None
    assert (found.source, found.options) == ("print(1)\n", {"step": 3})
    classes = Classes(database)
    assert [event.body for event in classes.events(code)] == [{"title": "Ä <b>"}]
    kept = classes.find(code)
    assert kept is not None
    assert kept.opens_with("k")
    after = classes.append(code, "place", {})
    assert after is not None
    assert after.number == 2, "it goes on where it was"


def test_the_file(tmp_path: Path) -> None:
    command = shutil.which("sqlite3")
    if command is None:
        missing("sqlite3")
        raise AssertionError
    database = Database(f"sqlite:///{tmp_path / 'stepgraph.sqlite3'}")
    kept = fill(database)
    with database.reading():  # somebody reads, and what was written last stands beside the file
        subprocess.run([command, tmp_path / "stepgraph.sqlite3", f".backup {tmp_path / 'copy.sqlite3'}"], check=True)
    Programs(database).put("print('after the backup')\n", {})
    database.close()
    restored = Database(f"sqlite:///{tmp_path / 'copy.sqlite3'}")
    is_all_there(restored, *kept)
    restored.close()


def test_postgresql(tmp_path: Path, postgresql: PostgresServer, new_postgresql_url: Callable[[], str]) -> None:
    folder = postgresql_programs()
    assert folder is not None
    url, fresh = new_postgresql_url(), new_postgresql_url()
    database = Database(url)
    kept = fill(database)
    subprocess.run([folder / "pg_dump", "--format=custom", f"--file={tmp_path / 'dump'}", url], check=True)
    database.close()
    subprocess.run([folder / "pg_restore", "--no-owner", f"--dbname={fresh}", tmp_path / "dump"], check=True)
    restored = Database(fresh)
    is_all_there(restored, *kept)
    restored.close()
