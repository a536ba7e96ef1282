"""Programs by their content."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from app.store import Database, FullError, Programs
from app.store import programs as stored

HOSTILE = "print('</script><b>&amp;')  # \u2028 \U0001f600 'quote\" \\u0000\n" + "é" * 100


def test_what_was_stored_comes_back_as_it_was(database: Database) -> None:
    kept = Programs(database, clock=lambda: 1234.5)
    options = {"v": 1, "step": 3, "breakpoints": ["7:x > '1'"], "name": None}
    found = kept.get(kept.put(HOSTILE, options))
    assert found is not None
    assert (found.source, found.options, found.created) == (HOSTILE, options, 1234.5)


def test_the_same_program_is_stored_once_whatever_the_order_of_its_options(database: Database) -> None:
    first, second = Programs(database, clock=lambda: 1.0), Programs(database, clock=lambda: 2.0)
    id = first.put("x", {"a": 1, "b": 2})
    assert second.put("x", {"b": 2, "a": 1}) == id
    found = second.get(id)
    assert found is not None
    assert found.created == 1.0


@pytest.mark.parametrize("id", ["", "aaaaaaaaaaaa", "' OR 1=1 --", "%", "a" * 1000, "\u00e9"])
def test_an_id_that_was_never_given_finds_nothing(database: Database, id: str) -> None:
    Programs(database).put("x", {})
    assert Programs(database).get(id) is None


def test_ids_grow_where_two_programs_would_share_one(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "SHORT", 0)
    kept = Programs(database)
    ids = [kept.put(f"print({n})", {}) for n in range(40)]
    assert len(set(ids)) == 40
    assert len(ids[0]) == 0
    assert {len(id) for id in ids} >= {1, 2}
    for n, id in enumerate(ids):
        found = kept.get(id)
        assert found is not None
        assert found.source == f"print({n})"


def test_a_full_store_takes_no_more_but_still_knows_what_it_has(database: Database) -> None:
    kept = Programs(database, most_bytes=300)
    id = kept.put("a" * 200, {})
    with pytest.raises(FullError, match="make room"):
        kept.put("b" * 200, {})
    assert kept.put("a" * 200, {}) == id


def test_many_threads_store_the_same_program(database: Database) -> None:
    ids: list[str] = []
    failures: list[Any] = []
    start = threading.Barrier(6)

    def put() -> None:
        try:
            start.wait(5)
            ids.append(Programs(database).put("print('once')", {}))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=put) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert failures == []
    assert len(ids) == 6
    assert len(set(ids)) == 1
