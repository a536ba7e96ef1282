"""Moments and answers that come from recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.lessons.anchors import node_at, resolve
from app.lessons.lookup import Lookup
from app.lessons.model import LessonError, Moment, Place, Question
from app.lessons.questions import answered
from tests.lessons.recordings import PROGRAMS, trace_of

HERE = Place(Path("lesson.md"), 7)


@pytest.fixture(scope="module")
def looks() -> dict[str, Lookup]:
    return {name: Lookup(trace_of(source)) for name, source in PROGRAMS.items()}


def at(look: Lookup, what: dict[str, Any]) -> int:
    return resolve(Moment(HERE, what), look)


def said(look: Lookup, step: int) -> str:
    """The line of a step and its kind: what a reader would see there."""
    record = look.record
    return f"{record.line_text(record.steps['line'][step]).strip()}|{record.text(record.steps['kind'][step])}"


@pytest.mark.parametrize(
    ("program", "what", "is_at"),
    [
        ("torch", {"line": "loss.backward()"}, "loss.backward()|backward"),
        ("torch", {"line": "h = w * x"}, "h = w * x|ran"),
        ("torch", {"line": 1}, "import torch|line"),
        ("torch", {"node": "h"}, "h = w * x|ran"),
        ("torch", {"node": "w", "event": "gradient"}, "loss.backward()|accumulated"),
        ("torch", {"node": "sum", "event": "gradient"}, "loss.backward()|gradient"),
        ("torch", {"node": "h", "event": "freed"}, "loss.backward()|freed"),
        ("torch", {"phase": "backward", "nth": 2}, "loss.backward()|backward"),
        ("torch", {"prints": "w -0.5"}, 'print("w", w.item())|output'),
        ("session", {"node": "y"}, 'y = tf.matmul(x, w, name="y")|node'),
        ("session", {"node": "x", "event": "value"}, "out = sess.run(both, {x: [[1.0, 1.0]]})|fed"),
        ("session", {"node": "again", "event": "merged"}, "out = sess.run(both, {x: [[1.0, 1.0]]})|rewrite"),
        ("session", {"node": "y", "event": "fused", "nth": 2}, "print(sess.run(late, {x: [[1.0, 2.0]]}))|rewrite"),
        ("session", {"phase": "compile", "nth": "last"}, "print(sess.run(late, {x: [[1.0, 2.0]]}))|compiled"),
        ("broken", {"at": "error"}, "c = a @ b|error"),
    ],
)
def test_a_moment_is_where_it_happens(looks: dict[str, Lookup], program: str, what: dict[str, Any], is_at: str) -> None:
    assert said(looks[program], at(looks[program], what)) == is_at


def test_passes_follow_each_other_and_last_is_the_last(looks: dict[str, Lookup]) -> None:
    look = looks["torch"]
    passes = [at(look, {"line": "h = w * x", "pass": number}) for number in (1, 2, 3)]
    assert passes == sorted(set(passes))
    assert at(look, {"line": "h = w * x", "pass": "last"}) == passes[-1]
    assert at(look, {"line": "h = w * x", "pass": 2, "before": True}) == passes[1] - 1
    assert (at(look, {"at": "start"}), at(look, {"at": "start", "before": True})) == (0, 0)
    assert at(look, {"at": "end"}) == look.record.count - 1
    # The same name is another node in each pass: that of the pass one looks at is meant.
    assert node_at("h", passes[1], look) == sorted(look.named("h"))[1]
    assert node_at("nothing", 0, look) == -1


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"line": "nowhere"}, "no line of main.py holds 'nowhere'"),
        ({"node": "nothing"}, "no node is called 'nothing'"),
        ({"line": 99}, "no line of main.py holds 99"),
        ({"line": "h = w * x", "pass": 4}, "there are 3 passes of line 7, not 4"),
        ({"node": "x", "event": "gradient"}, "there are 0 moments at which x is gradient, not 1"),
        ({"phase": "compile"}, "there are 0 phases called compile, not 1"),
        ({"prints": "hello", "nth": "last"}, "there are no outputs that hold 'hello'"),
        ({"at": "error"}, "no step is an error"),
    ],
)
def test_one_that_does_not_happen_says_so(looks: dict[str, Lookup], what: dict[str, Any], says: str) -> None:
    with pytest.raises(LessonError, match=r"lesson\.md:7: this moment is not in the recording: ") as caught:
        at(looks["torch"], what)
    assert says in str(caught.value)


def ask(look: Lookup, kind: str, answer: Any, step: int = 0) -> Any:
    return answered(Question(HERE, "Which?", kind, answer, 0.0, (), "", "", None), look, step)


def test_answers_are_taken_from_the_recording(looks: dict[str, Lookup]) -> None:
    look = looks["torch"]
    assert ask(look, "shape", {"shape": "h"}).text == "[2]"
    assert ask(look, "value", {"value": "loss"}).number == 3
    assert ask(look, "number", {"count": "exp"}).number == 2
    assert ask(look, "number", {"nodes": "graph"}).number == 22
    assert ask(look, "prints", {"prints": "next"}).text == "w -0.5"
    assert ask(look, "text", "seven").text == "seven"
    assert ask(looks["session"], "shape", {"shape": "out"}).text == "[1, 1]"


@pytest.mark.parametrize(("moment", "right"), [("step = ", 0), (None, 2)])
def test_a_value_is_that_of_the_moment_where_it_is_revealed(
    looks: dict[str, Lookup], moment: str | None, right: float
) -> None:
    reveal = Moment(HERE, {"line": "h = w * x", "pass": 1}) if moment else None
    question = Question(HERE, "Which?", "value", {"value": "step"}, 0.0, (), "", "", reveal)
    assert answered(question, looks["torch"], 0).number == right


def test_which_node_is_next_has_one_right_option_and_believable_others(looks: dict[str, Lookup]) -> None:
    look = looks["torch"]
    step = at(look, {"line": "loss.backward()"})
    options = ask(look, "node", {"next": "node"}, step).options
    right = [option for option in options if option["right"]]
    assert [look.record.label(option["node"]) for option in right] == ["SumBackward0"]
    assert 2 <= len(options) <= 4
    assert len({option["text"] for option in options}) == len(options)
    assert all(option["says"] for option in options)


@pytest.mark.parametrize(("moment", "filled"), [({"line": "h = w * x", "before": True}, False), ({"node": "h"}, True)])
def test_whether_there_is_a_value_yet(looks: dict[str, Lookup], moment: dict[str, Any], filled: bool) -> None:
    look = looks["torch"]
    options = ask(look, "value", {"has value": "h"}, at(look, moment)).options
    assert {option["text"]: option["right"] for option in options} == {"Yes": filled, "No": not filled}


@pytest.mark.parametrize(
    ("answer", "step", "says"),
    [
        ({"shape": "nothing"}, 0, "'nothing' has no value"),
        ({"value": "h"}, 0, "'h' holds 2 numbers"),
        ({"next": "node"}, 10_000, "nothing is computed after"),
        ({"prints": "next"}, 10_000, "nothing is printed after"),
    ],
)
def test_an_answer_that_is_not_there_says_so(looks: dict[str, Lookup], answer: Any, step: int, says: str) -> None:
    with pytest.raises(LessonError, match=says):
        ask(looks["torch"], "text", answer, step)
