"""A database of each kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.store import Database


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    found = Database(database_url)
    yield found
    found.close()
