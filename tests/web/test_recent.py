"""One run for all who hand in the same program within a minute, and who gets one of their own all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.documents import Document
from app.runner import Request
from app.web import recent

SOURCE = "print('the lesson')\n"


@pytest.fixture
def students(make: Callable[..., Flask]) -> Callable[[], FlaskClient]:
    """Makes browsers, each with a session of its own, at one server."""
    app = make()

    def student() -> FlaskClient:
        client = app.test_client()
        client.get("/")
        return client

    return student


def press(student: FlaskClient, **more: Any) -> str:
    response = student.post("/api/runs", json={"source": SOURCE, **more})
    assert response.status_code == 202
    return str(response.get_json()["links"]["trace"])


def test_a_class_shares_a_run(students: Any, runner: Any, until: Any) -> None:
    class_ = [students() for _ in range(5)]
    links = [press(student) for student in class_]
    assert len(set(links)) == 5
    assert len(runner.runs) == 1
    assert [student.get(link).get_json()["state"] for student, link in zip(class_, links, strict=True)] == [
        "queued"
    ] * 5
    runner.runs[0].become("done")
    for student, link in zip(class_, links, strict=True):
        until(lambda student=student, link=link: student.get(link).status_code == 200)
        assert student.get(link).get_json()["stdout"] == "hello\n"
    late = students()
    link = press(late)
    until(lambda: late.get(link).status_code == 200)
    assert len(runner.runs) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"source": SOURCE + "#"},
        {"name": "a.py"},
        {"stdin": "4"},
        {"seconds": 2},
        {"files": [{"name": "d", "data": "QQ=="}]},
    ],
    ids=lambda other: next(iter(other)),
)
def test_another_program_is_no_repeat(students: Any, runner: Any, other: dict[str, Any]) -> None:
    press(students())
    press(students(), **other)
    assert len(runner.runs) == 2


def test_who_runs_it_again_has_a_run_of_their_own(students: Any, runner: Any, until: Any) -> None:
    ada, bob = students(), students()
    links = press(ada), press(bob)
    runner.runs[0].become("done")
    until(lambda: ada.get(links[0]).status_code == bob.get(links[1]).status_code == 200)
    press(ada)
    assert len(runner.runs) == 2
    press(ada)
    assert len(runner.runs) == 3


def test_measurements_and_clients_without_a_session_share_nothing(students: Any, runner: Any) -> None:
    press(students())
    press(students(), measure={})
    bare = students().application.test_client(use_cookies=False)
    press(bare)
    assert len(runner.runs) == 3


@pytest.mark.parametrize("ending", ["cancelled", "failed", "asking"])
def test_without_a_result_each_runs_the_program(students: Any, runner: Any, until: Any, ending: str) -> None:
    ada, bob = students(), students()
    press(ada)
    link = press(bob)
    runner.runs[0].become(ending)
    until(lambda: len(runner.runs) == 2)
    runner.runs[1].become("asking", output="How many? ")
    assert bob.get(link).get_json()["prompt"] == "How many? "
    assert bob.post(link + "/input", json={"text": "4"}).status_code == 204
    runner.runs[1].become("done")
    until(lambda: bob.get(link).status_code == 200)
    assert runner.runs[1].answers == ["4"]


def test_stopping_ones_own_leaves_the_others_alone(students: Any, runner: Any, until: Any) -> None:
    ada, bob = students(), students()
    first, second = press(ada), press(bob)
    assert bob.delete(second).status_code == 204
    until(lambda: bob.get(second).status_code == 410)
    assert runner.runs[0].state == "queued"
    runner.runs[0].become("done")
    until(lambda: ada.get(first).status_code == 200)


def test_a_program_that_its_owner_ends_is_nobody_elses_result(students: Any, runner: Any, until: Any) -> None:
    ada, bob = students(), students()
    first = press(ada)
    runner.runs[0].become("running")
    second = press(bob)
    assert ada.post(first + "/stop").status_code == 409  # bob waits for it too
    assert bob.delete(second).status_code == 204
    until(lambda: bob.get(second).status_code == 410)
    assert ada.post(first + "/stop").status_code == 204
    until(lambda: ada.get(first).status_code == 200)
    press(bob)
    assert len(runner.runs) == 2


def test_what_is_kept_is_bounded_and_no_run_is(runner: Any) -> None:
    kept = recent.Recent()
    requests = [Request(SOURCE, files=(("d", bytes([n]) * (12 << 20)),)) for n in range(3)]
    for request in requests:
        result = kept.begin(request, "ada", runner.submit(request))
        result.settle(Document(b"x", 1, "tag", "ok"))
        assert result.run is None
    assert [kept.join(request, "bob") is not None for request in requests] == [False, True, True]


def test_a_minute_later_it_is_too_old(runner: Any) -> None:
    now = 0.0
    kept = recent.Recent(clock=lambda: now)
    request = Request(SOURCE)
    kept.begin(request, "ada", runner.submit(request))
    now = recent.WITHIN
    assert kept.join(request, "bob")
    now += 1
    assert kept.join(request, "eve") is None
