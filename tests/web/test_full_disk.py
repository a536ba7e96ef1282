"""A disk that is full: what cannot be stored is refused in words, what is stored stays, and no restart is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import event


def test_what_finds_no_room_is_refused_and_nothing_is_lost(make: Callable[..., Flask], tmp_path: Path) -> None:
    app = make(database_url=f"sqlite:///{tmp_path / 'kept.db'}")
    client = app.test_client()
    kept = client.post("/api/links", json={"source": "print('kept')\n"})
    assert kept.status_code == 201
    engine = app.extensions["stepgraph"].database._engine

    def fill(connection: Any, _: Any) -> None:
        # What SQLite then says, SQLITE_FULL, is what it says when the file system has no block left.
        connection.execute("PRAGMA max_page_count = 1")

    event.listen(engine, "connect", fill)
    engine.dispose()
    large = {"source": "# " + "".join(chr(33 + n * n % 90) for n in range(50_000)) + "\n"}
    refused = client.post("/api/links", json=large)
    assert refused.status_code == 507
    assert "no room left on the server's disk" in refused.json["error"]["message"]
    assert client.get(f"/api/links/{kept.json['id']}").json["source"] == "print('kept')\n"
    event.remove(engine, "connect", fill)
    engine.dispose()
    assert client.post("/api/links", json=large).status_code == 201
