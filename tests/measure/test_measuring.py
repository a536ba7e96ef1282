"""Measuring: what is timed, what is marked, and that what a program says of itself is checked."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events
from engine.measure.document import document, loops_to_mark
from engine.measure.reading import read
from engine.recording.config import Limits, Measuring, RunConfig
from engine.recording.entry import run
from engine.recording.journal import anonymous
from engine.static import Session

TRAINING = """
import torch
w = torch.zeros(3, requires_grad=True)
def step(x):
    loss = ((w * x) - 1).pow(2).sum()
    loss.backward()
    return loss
for epoch in range(2):
    for batch in range(6):
        step(torch.ones(3))
for number in range(1000):
    number + 1
print("done")
"""

SESSIONS = """
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
x = tf.placeholder(tf.float32, [2])
y = tf.reduce_sum(x * 2.0 + 1.0)
with tf.Session() as sess:
    for i in range(8):
        sess.run(y, {x: [1.0, 2.0]})
"""


def once(source: str, measuring: Measuring, limits: Limits | None = None) -> dict[str, Any]:
    config = RunConfig(source, limits=limits or Limits(), measure=measuring)
    journal = anonymous()
    run(config, journal, own_process=False)
    return read(journal, config)


def measured(source: str, line: int = 0, repeats: int = 2) -> dict[str, Any]:
    surveys = [once(source, Measuring(True, line=line))]
    loops = loops_to_mark(surveys)
    return document(surveys, [once(source, Measuring(False, loops, line)) for _ in range(repeats)])


def test_the_passes_of_loops_in_which_the_engine_works_are_iterations() -> None:
    found = measured(TRAINING)
    assert [(loop["line"], loop["count"]) for loop in found["loops"]] == [(9, 12), (8, 2)]
    assert len(found["loops"][0]["passes"]) == 12
    assert found["parts"]["iteration"]["count"] == 2 * 11  # the first pass of each repeat is left out
    assert found["end"]["kind"] == "ok"
    assert found["parts"]["steady_run"] is None
    assert found["runs"] == []
    # Kernels are timed in another run than the whole: on a busy machine either may be the longer one.
    assert found["kernel"]["median"] > 0
    assert found["overhead"]["median"] < found["total"]["median"]
    assert len(found["total"]["samples"]) == found["repeats"] == 2


def test_a_static_program_has_build_optimise_compile_and_runs() -> None:
    found = measured(SESSIONS)
    parts = found["parts"]
    assert all(parts[part]["median"] > 0 for part in ("build", "optimise", "compile", "first_run", "steady_run"))
    [only] = found["runs"]
    assert only["count"] == 8 == len(only["calls"])
    assert only["fetches"]
    assert only["feeds"]
    # The second run is the one that compiles, and nothing that is told is longer than the whole.
    assert only["calls"][1] > parts["optimise"]["low"] + parts["compile"]["low"]
    assert parts["steady_run"]["count"] == 2 * 6
    assert sum(only["calls"]) + parts["build"]["median"] < 2 * found["total"]["high"]


@pytest.mark.parametrize(
    ("line", "what", "name", "count"),
    [(4, "function", "step", 2 * 11), (9, "loop", "", 2 * 11), (10, "statement", "", 2 * 11), (13, "statement", "", 2)],
)
def test_a_target_is_a_function_a_loop_or_a_statement(line: int, what: str, name: str, count: int) -> None:
    found = measured(TRAINING, line)
    assert found["target"] == {"line": line, "what": what, "name": name}
    assert found["parts"]["target"]["count"] == count
    assert 0 < found["parts"]["target"]["median"] < found["total"]["median"]


def test_a_target_in_an_empty_line_is_none() -> None:
    assert once(TRAINING, Measuring(line=1))["repeat"]["target"] is None


def test_targets_leave_returns_and_errors_alone() -> None:
    source = (
        "def f(x):\n    'doc'\n    return 1 / x\nassert f.__doc__ == 'doc'\n"
        "try:\n    f(0)\nexcept ZeroDivisionError:\n    print(f(1))\n"
    )
    for line in range(1, 9):
        assert once(source, Measuring(line=line))["end"]["kind"] == "ok"


def test_a_failing_program_is_measured_up_to_there() -> None:
    found = measured("import torch\nfor i in range(5):\n    torch.ones(2) + torch.ones(5 - i)\n")
    assert found["end"]["kind"] == "error"
    assert found["end"]["line"] == 3
    assert "RuntimeError" in found["end"]["message"]
    assert found["total"]["median"] > 0


def test_a_marked_loop_ends_at_the_deadline() -> None:
    endless = "import torch\nwhile True:\n    torch.ones(2) + 1\n"
    found = once(endless, Measuring(loops=(0,)), Limits(seconds=0.2))
    assert found["end"]["limit"] == "time"
    assert found["repeat"]["loops"][0]["count"] > 5


def test_nothing_is_left_behind() -> None:
    before = Session._run
    measured(SESSIONS, repeats=1)
    assert Session._run is before
    assert events.listener is None


def test_times_are_forgotten_beyond_a_thousand_and_counted_on() -> None:
    many = "import torch\nx = torch.ones(2)\nfor i in range(1500):\n    x + 1\n"
    [loop] = measured(many, repeats=1)["loops"]
    assert loop["count"] == 1500
    assert len(loop["passes"]) == 1000


def test_what_is_no_repeat_is_refused_piece_by_piece() -> None:
    from engine.measure.reading import _repeat

    wild = {
        "total": -3, "compiled": 1 << 80, "build": True, "eager": "x", "note": ["\ud800"], "worked": [1, None, -1],
        "runs": [{"calls": [1, "2", 3.5]}, 7, {"prepared": [[1], 2, [3, 4]]}], "loops": "no", "target": {"what": "x"},
    }  # fmt: skip
    clean = _repeat(wild)
    assert clean["total"] == clean["compiled"] == clean["build"] == clean["eager"] == 0
    assert clean["worked"] == [1, 0, 0]
    assert clean["loops"] == []
    assert clean["note"] == ""
    assert [one["calls"] for one in clean["runs"]] == [[1, 0, 0], []]
    assert clean["runs"][1]["prepared"] == [[3, 4]]
    assert clean["target"]["what"] == "statement"
