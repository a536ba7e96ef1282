"""A run ends once, whoever has it; what a worker says that was given up is not heard."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from app.cluster.client import client
from app.cluster.crew import Crew
from app.cluster.ledger import GONE, MOST_ATTEMPTS, Ledger
from app.cluster.reader import Reader
from app.cluster.remote import RemoteRun
from app.cluster.shares import SharedCounts
from app.cluster.turns import Turns
from app.documents import Document
from app.runner import Request


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[Any]:
    found = client(redis_url)
    found.flushdb()
    yield found
    found.close()


@pytest.fixture
def ledger(redis_client: Any) -> Ledger:
    found = Ledger(redis_client)
    found.put("a", b"program")
    return found


def remote(id: str = "a") -> RemoteRun:
    return RemoteRun(
        Request("x"), None, id=id, order=lambda *_: True, stop=lambda _: False,
        fetch=lambda _: Document(b"", 0, "tag", "ok"),
    )  # fmt: skip


def test_who_is_given_up_is_not_heard(ledger: Ledger) -> None:
    assert ledger.claim("a", "first") == (1, b"program")
    assert ledger.tell("a", 1, {"more": "once"}, asked=False)
    assert ledger.claim("a", "second") == (2, b"program")
    assert not ledger.tell("a", 1, {"more": "twice"}, asked=False)
    assert not ledger.finish("a", 1, {"state": "done"}, b"of the first")
    assert ledger.finish("a", 2, {"state": "done"}, b"of the second")
    assert not ledger.finish("a", 2, {"state": "failed"})
    assert ledger.document("a") == b"of the second"
    assert ledger.claim("a", "third")[0] == GONE
    said = [json.loads(fields[b"news"]) for _, fields in ledger.news("a")]
    assert said == [{"more": "once", "attempt": 1}, {"state": "done", "attempt": 2}]


def test_a_run_that_loses_its_workers_is_not_tried_for_ever(ledger: Ledger) -> None:
    tried = [ledger.claim("a", str(n))[0] for n in range(MOST_ATTEMPTS + 1)]
    assert tried == [1, 2, 3, -4]
    assert ledger.finish("a", 4, {"state": "failed"})


def test_one_that_has_asked_is_not_run_again(ledger: Ledger) -> None:
    ledger.claim("a", "first")
    ledger.tell("a", 1, {"state": "asking"}, asked=True)
    assert ledger.claim("a", "second")[0] == -2


def test_taken_back_or_stopped_it_is_no_workers_any_more(ledger: Ledger) -> None:
    ledger.claim("a", "first")
    assert ledger.take_back("a")
    assert not ledger.take_back("a")
    assert not ledger.finish("a", 1, {"state": "done"}, b"late")
    assert ledger.claim("a", "second")[0] == GONE
    ledger.put("b", b"program")
    assert ledger.cancel("b")
    assert ledger.claim("b", "first")[0] == GONE


def test_places_are_in_order_and_the_forgotten_have_none(ledger: Ledger, redis_client: Any) -> None:
    for id in "bcd":
        ledger.put(id, b"")
    assert [place for *_, place in ledger.standing(["a", "b", "c", "d"])] == [1, 2, 3, 4]
    ledger.claim("a", "first")
    redis_client.delete("stepgraph:run:b")
    ledger.forget_lost()
    assert ledger.standing(["a", "b", "c", "x"]) == [
        ("taken", "first", False, 0), ("", "", False, 0), ("waiting", "", False, 1), ("", "", False, 0),
    ]  # fmt: skip


def test_what_is_shown_is_that_of_the_newest_attempt() -> None:
    run = remote()

    def say(**news: Any) -> None:
        run.receive({b"news": json.dumps(news).encode()})

    say(attempt=1, state="running", more="one\n")
    say(attempt=2, state="running", more="on")
    say(attempt=1, more="two\n")
    say(attempt=2, more="e\n")
    assert (run.output_so_far()[0], run.state) == ("one\n", "running")
    say(attempt=1, state="failed", error="late")
    say(attempt=2, state="done")
    say(attempt=3, state="failed", error="later still")
    assert (run.state, run.error, run.document is not None) == ("done", None, True)


def test_an_answer_that_is_on_its_way_is_not_asked_for_again() -> None:
    run = remote()
    asking = {b"news": b'{"attempt": 1, "state": "asking", "question": 1, "asked": true}'}
    run.receive(asking)
    assert run.answer("4")
    run.receive(asking)
    assert (run.state, run.answer("5")) == ("running", False)


def test_a_reader_learns_of_new_streams_at_once(redis_client: Any, redis_url: str) -> None:
    reader = Reader(client(redis_url))
    reader.start()
    got: list[bytes] = []
    all_there = threading.Event()

    def receive(fields: Any) -> None:
        got.append(fields[b"n"])
        if len(got) == 4:
            all_there.set()

    redis_client.xadd("one", {"n": "1"})
    reader.watch("one", receive)
    redis_client.xadd("one", {"n": "2"})
    reader.watch("two", receive)
    redis_client.xadd("two", {"n": "3"})
    redis_client.xadd("one", {"n": "4"})
    assert all_there.wait(0.9), "it waited for a whole read"
    reader.close()
    assert sorted(got) == [b"1", b"2", b"3", b"4"]
    assert [n for n in got if n != b"3"] == [b"1", b"2", b"4"]


def test_shares_count_for_all_processes_and_those_of_the_dead_come_back(redis_client: Any) -> None:
    one, other = SharedCounts(redis_client), SharedCounts(redis_client)
    taken = [counts.take("ada", 3, 30) for counts in (one, other, one, other)]
    assert taken == [(0, 0), (0, 0), (0, 0), (3, 0)]
    one.give_back("ada")
    one.renew()
    assert other.take("ada", 3, 4) == (0, 0)
    open, wait = other.take("ada", 9, 4)  # type: ignore[misc]
    assert (open, 50 < wait <= 60) == (0, True)
    redis_client.zadd(
        "stepgraph:share:ada:open", dict.fromkeys(redis_client.zrange("stepgraph:share:ada:open", 0, -1), 1)
    )
    assert other.take("ada", 1, 99) == (0, 0)


def test_of_an_owner_one_has_the_turn_in_all_processes(redis_client: Any) -> None:
    one, other = Turns(redis_client), Turns(redis_client)
    first, second = remote("a"), remote("b")
    assert one.take(first, "ada")
    assert not other.take(second, "ada")
    assert one.take(first, "ada"), "it has its turn"
    one.renew()
    one.leave(first)
    assert other.take(second, "ada")
    assert one.take(first, "")


def test_the_crew_are_those_that_were_heard(redis_client: Any) -> None:
    crew = Crew(redis_client)
    crew.sign("a", 2)
    crew.sign("b", 4)
    redis_client.zadd("stepgraph:crew", {"b": 1})
    assert crew.living() == [("a", 2)]
    crew.leave("a")
    assert crew.living() == []
