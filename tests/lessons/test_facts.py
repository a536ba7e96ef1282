"""Facts of real recordings, and the language that compares them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from app.lessons.expressions import ExpressionError, parse
from app.lessons.facts import FACTS, Facts
from engine.recording import program, record
from tests.lessons.recordings import PROGRAMS, trace_of

CALLS = {name: int(bool(fact.argument)) for name, fact in FACTS.items()}
TRUE = {
    "torch": (
        'ended == "ok" and error == "" and error_line == 0 and error_phase == ""',
        'dialect == "torch" and printed("w -0.5") and not printed("w 1")',
        'final("w") == -0.5 and final("loss") == 3 and final("step") == 2 and shape("h") == (2,)',
        'changed("w") and not changed("x") and tensors_in("losses") == 3',
        'ops("mul") == 5 and runs("mul") == 5 and ops("exp") == 2 and longest_path("mul") == 1',
        'gradient("w") == 3 and gradient_arrives("w") and not gradient_arrives("x")',
        'accumulated("w") == 1 and cleared("w") == 1',
        "backwards == 3 and freed == 3 and gradient_nodes == 8 and still_saved == 2",
        'off_tape("exp") == 1 and off_tape("sum") == 0',
        'phases("backward") == 3 and passes("for step") == 3 and passes("while") == 0',
        "graphs == 1 and nodes == 22 and session_runs == 0 and compiles == 0 and plan_nodes == 0 and files == 0",
        'retraces == 0 and batches == 0 and not has_nan and not saved("kept.pt")',
    ),
    "session": (
        'dialect == "tf1" and static_shape("x") == "(?, 2)" and static_shape("y") == "(?, 1)"',
        'ops("MatMul") == 2 and ops("matmul") == 2 and runs("MatMul") == 4 and longest_path("add") == 2',
        'fed("x") == 4 and fetched("both") == 3 and fetched("late") == 1 and fetched("y") == 0',
        'rewritten("merged") == 1 and rewritten("folded") == 1 and rewritten("fused") == 5',
        "session_runs == 5 and compiles == 3 and plan_nodes == 3 and plan_calls == 2 and plan_buffers == 0",
        'nodes_added_while_running == 1 and phases("run") == 4 and shape("out") == (1, 1) and final("out") == 12',
    ),
    "control": ("graph_loops == 1 and graph_decisions == 1 and plan_buffers == 1", 'final("picked") == 1'),
    "compiled": (
        'graph_breaks == 1 and retraces == 2 and traces("f") >= 1 and passes("for size") == 3',
        'saved("kept.pt") and not saved("other.pt") and files == 1',
    ),
    "broken": ('ended == "error" and error == "RuntimeError" and error_line == 5 and error_phase == "init"',),
}


@functools.cache
def facts(name: str) -> Facts:
    return Facts(trace_of(PROGRAMS[name]))


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in TRUE.items() for text in texts])
def test_of_a_recording(name: str, text: str) -> None:
    # Each part by itself: `and` would hide which of them is wrong.
    wrong = [part for part in text.split(" and ") if parse(part, CALLS).value(facts(name)) is not True]
    assert wrong == []


def test_each_fact_is_asked_of_a_recording_and_described_to_authors() -> None:
    asked = " ".join(text for texts in TRUE.values() for text in texts)
    assert [name for name in FACTS if name not in asked] == []
    recipe = (Path(__file__).parents[2] / "lessons" / "README.md").read_text(encoding="utf-8")
    assert [name for name, fact in FACTS.items() if f"| {fact.words} |" not in recipe] == []


def test_of_numbers_that_are_none() -> None:
    assert Facts(record("import torch\nx = torch.zeros(1) / 0"))["has_nan"]


@pytest.mark.parametrize(("clear", "piled"), [("w.grad.zero_()", 0), ("w.grad = None", 0), ("pass", 2)])
def test_a_gradient_that_was_set_to_zero_does_not_pile_up(clear: str, piled: int) -> None:
    source = "import torch\nw = torch.ones(1, requires_grad=True)\nfor i in range(3):\n    (w * 2).backward()\n"
    assert Facts(record(f"{source}    {clear}\n"))["accumulated"]("w") == piled


def test_passes_of_a_long_loop_are_counted_with_those_that_were_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_fold_at", lambda limit: 2_000)
    found = Facts(record("for step in range(1500):\n    a = step + 1\n    b = a * 2\n"))
    assert sum(found.look.rows("folded")["passes"]) > 1000
    assert found["passes"]("for step") == 1500


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("open('x')", "there is no fact 'open' (column 1)"),
        ("1 + opened", "there is no fact 'opened' (column 5)"),
        ("final > 3", "the fact 'final' is written final(\"…\") (column 1)"),
        ('ended("x") == 1', "the fact 'ended' is written ended (column 1)"),
        ('final("a", "b") == 1', "the fact 'final' is written final(\"…\")"),
        ('final(name="a") == 1', "Call cannot be used here (column 1)"),
        ("ended.upper == 1", "there is no ended.upper (column 1)"),
        ('(ended)[0] == "o"', "Subscript cannot be used here"),
        ("[x for x in (1, 2)]", "ListComp cannot be used here"),
        ("(lambda: 1)", "Lambda cannot be used here"),
        ("2 ** 9999", "BinOp cannot be used here"),
        ("ended is None", "Compare cannot be used here"),
        ("1 <", "(column"),
        ("1" + " + 1" * 300, "at most 500 characters"),
    ],
)
def test_nothing_else_can_be_written(text: str, says: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text, CALLS)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 == 7 and not 1 > 2", True),
        ("-none", None),
        ("none + 1 < 5", False),
        ("none == None", True),
        ("text * 3 == 1 or text + 1 == 1 or -text == 1", False),
        ("1 / 0", None),
        ("2 in (1, 2) and 3 not in (1, 2)", True),
        ("1 in text", False),
        ("1 < 2 < 3 != 4", True),
        ("text < 3", False),
    ],
)
def test_what_is_missing_or_of_another_kind_is_no_exception(text: str, value: Any) -> None:
    assert parse(text, {"none": 0, "text": 0}).value({"none": None, "text": "abc"}) == value
