"""The course over HTTP: lists, a lesson with its recordings, exercises judged by a run, claims by measurements."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from app.documents import Finisher
from app.lessons import load
from app.runner import Runner
from app.web import Config, create_app

FOLDER = Path(__file__).parents[2] / "lessons" / "07-gradients"


@pytest.fixture(scope="module")
def real(real_runner: Runner, finisher: Finisher) -> Iterator[FlaskClient]:
    """A client of an application whose runner is the real one."""
    app = create_app(Config(record_examples=False), runner=real_runner, finisher=finisher)
    with app.test_client() as client:
        yield client


def ran(client: FlaskClient, source: str, **asked: Any) -> str:
    """The id of a run that has ended."""
    id: str = client.post("/api/runs", json={"source": source, **asked}).get_json()["id"]
    client.get(f"/api/runs/{id}/events").get_data()
    return id


def test_the_list_has_every_lesson_and_path(client: FlaskClient) -> None:
    course, listed = load(), client.get("/api/lessons").get_json()
    assert [one["id"] for one in listed["lessons"]] == [lesson.id for lesson in course.lessons]
    assert set(listed["lessons"][0]) == {"id", "number", "title", "minutes", "summary", "claims", "needs"}
    known = {one["id"] for one in listed["lessons"]}
    assert [way["minutes"] for way in listed["paths"]] == [20, 90, 180]
    assert all(known.issuperset(way["lessons"]) and way["words"] for way in listed["paths"])


def test_a_lesson_has_what_its_page_needs(real: FlaskClient) -> None:
    lesson = real.get("/api/lessons/gradients").get_json()
    assert (lesson["number"], lesson["previous"], lesson["next"]) == (7, "finding-the-bug", "memory")
    assert "mistake_early.py" not in lesson["programs"]  # it would tell what not to do
    tape = lesson["programs"]["tape.py"]
    trace = real.get(tape["trace"])
    assert trace.status_code == 200
    assert trace.get_json()["program"]["source"] == tape["source"]
    assert real.get(tape["trace"], headers={"If-None-Match": trace.headers["ETag"]}).status_code == 304

    first, second = lesson["steps"][:2]
    assert "<strong>gradient op</strong>" in first["html"]
    assert first["player"]["program"] == "tape.py"
    assert second["player"]["hide"] is True
    assert second["question"]["reveal"] > second["player"]["at"] > first["player"]["at"] > 0
    (right,) = [option for option in second["question"]["options"] if option["right"]]
    assert right["text"].startswith("MmBackward0")
    (exercise,) = [step["exercise"] for step in lesson["steps"] if "exercise" in step]
    assert set(exercise) == {"id", "program", "task", "hints", "solution", "checks"}
    assert (exercise["checks"], len(exercise["hints"])) == (3, 3)


@pytest.mark.parametrize(
    ("program", "passed", "checks", "mistake"),
    [
        ("exercise.py", False, [True, False, False], None),
        ("mistake_early.py", False, [True, False, True], "You clear the gradient after"),
        ("mistake_small.py", False, [True, False, False], "Another step size"),
        ("solution.py", True, [True, True, True], None),
    ],
)
def test_an_exercise_is_judged_by_what_a_run_did(
    real: FlaskClient, program: str, passed: bool, checks: list[bool], mistake: str | None
) -> None:
    run = ran(real, (FOLDER / program).read_text(encoding="utf-8"))
    said = real.post("/api/lessons/gradients/exercises/zero-grad", json={"run": run}).get_json()
    assert (said["passed"], [check["passed"] for check in said["checks"]]) == (passed, checks)
    assert all(bool(check["html"]) != check["passed"] for check in said["checks"])
    if program != "exercise.py":
        assert (said["mistake"] or "").startswith(mistake or "")
        assert (said["mistake"] is None) == (mistake is None)


def test_a_program_that_is_something_else_only_fails(real: FlaskClient) -> None:
    run = ran(real, "w = 'not a tensor'\nraise SystemExit(3)\n")
    said = real.post("/api/lessons/gradients/exercises/zero-grad", json={"run": run}).get_json()
    assert said["passed"] is False


def test_a_claim_is_judged_by_measuring_runs(real: FlaskClient) -> None:
    lesson = next(one for one in load().lessons if any(step.measure for step in one.steps))
    at, measure = next((at, step.measure) for at, step in enumerate(lesson.steps) if step.measure)
    runs = {name: ran(real, lesson.programs[name].source, measure={"repeats": 2}) for name in measure.programs}
    said = real.post(f"/api/lessons/{lesson.id}/measures", json={"step": at, "runs": runs}).get_json()
    assert said["verdict"] in ("holds", "fails", "undecided")
    assert said["words"]
    assert all(low <= median <= high for _, _, median, low, high in said["rows"])
    recorded = {name: ran(real, lesson.programs[name].source) for name in measure.programs}
    refused = real.post(f"/api/lessons/{lesson.id}/measures", json={"step": at, "runs": recorded})
    assert refused.status_code == 422
    assert "is no measurement" in refused.get_json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("get", "nothing", None, 404),
        ("get", "gradients/programs/nothing.py/trace", None, 404),
        ("get", "gradients/programs/..%2Flesson.md/trace", None, 404),
        ("post", "nothing/exercises/zero-grad", {"run": "x"}, 404),
        ("post", "gradients/exercises/nothing", {"run": "x"}, 404),
        ("post", "gradients/exercises/zero-grad", {"run": "x"}, 404),
        ("post", "gradients/exercises/zero-grad", {"run": ["x"]}, 404),
        ("post", "gradients/exercises/zero-grad", [1], 400),
        ("post", "gradients/measures", {"step": 99, "runs": {}}, 422),
        ("post", "gradients/measures", {"step": True, "runs": {}}, 422),
        ("post", "gradients/measures", {"step": 0, "runs": {}}, 422),
    ],
)
def test_what_is_not_there_is_said(real: FlaskClient, method: str, path: str, body: Any, status: int) -> None:
    answer = getattr(real, method)(f"/api/lessons/{path}", **({} if body is None else {"json": body}))
    assert answer.status_code == status
    assert set(answer.get_json()["error"]) >= {"message"}


def test_a_forged_recording_is_no_error_of_the_server(client: FlaskClient, runner: Any, trace: bytes) -> None:
    forged = json.loads(trace)
    forged["events"]["assigned"] = {
        "seq": [1],
        "frame": [0],
        "name": [10**6],
        "node": [10**6],
        "value": [10**6],
        "object": [-1],
    }
    runner.instant, runner.trace = True, json.dumps(forged).encode()
    run = client.post("/api/runs", json={"source": "print('hello')"}).get_json()["id"]
    answer = client.post("/api/lessons/gradients/exercises/zero-grad", json={"run": run})
    assert answer.status_code in (200, 404, 409, 422)
    assert answer.status_code != 200 or answer.get_json()["passed"] is False


def test_a_lesson_that_is_edited_shows_at_once(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.lessons.skeleton import create

    folder = create("fresh", tmp_path)
    monkeypatch.setattr("app.places.lessons_folder", lambda: tmp_path)
    assert [one["title"] for one in client.get("/api/lessons").get_json()["lessons"]] == ["Fresh"]
    lesson = folder / "lesson.md"
    lesson.write_text(lesson.read_text(encoding="utf-8").replace("title: Fresh", "title: Other"), encoding="utf-8")
    assert [one["title"] for one in client.get("/api/lessons").get_json()["lessons"]] == ["Other"]
    lesson.write_text("---\ntitle: Other\n", encoding="utf-8")
    broken = client.get("/api/lessons")
    assert broken.status_code == 503
    assert "01-fresh/lesson.md, line 1: a lesson begins" in broken.get_json()["error"]["message"]
