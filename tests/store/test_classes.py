"""Classes as logs."""

from __future__ import annotations

import threading

import pytest

from app.store import Classes, Database


@pytest.fixture
def classes(database: Database) -> Classes:
    found = Classes(database)
    assert found.open("ABCD", key="secret")
    return found


def test_a_code_is_given_once_and_only_the_key_opens(classes: Classes) -> None:
    assert not classes.open("ABCD", key="another")
    found = classes.find("ABCD")
    assert found is not None
    assert (found.opens_with("secret"), found.opens_with("another"), found.opens_with("")) == (True, False, False)
    assert b"secret" not in found.key_digest
    assert classes.find("NONE") is None


def test_events_are_numbered_and_read_from_where_one_was(classes: Classes) -> None:
    for kind in ("opened", "joined", "place"):
        classes.append("ABCD", kind, {"of": kind, "text": "<b>\u2028é"})
    classes.open("WXYZ", key="k")
    other = classes.append("WXYZ", "opened", {})
    assert other is not None
    assert other.number == 1
    found = classes.events("ABCD", after=1)
    assert [(event.number, event.kind) for event in found] == [(2, "joined"), (3, "place")]
    assert found[0].body == {"of": "joined", "text": "<b>\u2028é"}
    last = classes.find("ABCD")
    assert last is not None
    assert last.last == 3


def test_closing_deletes_what_was_said_and_takes_no_more(classes: Classes) -> None:
    classes.append("ABCD", "joined", {"name": "Ada"})
    classes.close("ABCD")
    assert classes.events("ABCD") == []
    assert classes.append("ABCD", "hand", {}) is None
    assert classes.append("NONE", "hand", {}) is None
    found = classes.find("ABCD")
    assert found is not None
    assert found.closed is not None


def test_old_classes_go_with_their_events(database: Database) -> None:
    old, new = Classes(database, clock=lambda: 10.0), Classes(database, clock=lambda: 20.0)
    old.open("OLD", key="k")
    old.append("OLD", "joined", {})
    new.open("NEW", key="k")
    assert new.forget(before=15.0) == 1
    assert (new.find("OLD"), new.events("OLD")) == (None, [])
    assert new.find("NEW") is not None


def test_numbers_have_no_gaps_and_no_twins_when_many_write(classes: Classes, database_url: str) -> None:
    # Each thread has a database of its own, as each web process has.
    failures: list[Exception] = []

    def write() -> None:
        database = Database(database_url)
        try:
            for _ in range(10):
                Classes(database).append("ABCD", "hand", {})
        except Exception as error:
            failures.append(error)
        finally:
            database.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failures == []
    assert [event.number for event in classes.events("ABCD")] == list(range(1, 41))
