"""What a recording shows of programs of 2.x."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dynamic import modes
from engine.recording.inprocess import record
from engine.trace.reading import table


def test_a_program_without_words_of_either_version_runs_eagerly() -> None:
    source = "import tensorflow as tf\na = tf.constant([[1.0, 2.0]])\nc = tf.matmul(a, tf.transpose(a))\nprint(c)\n"
    trace = record(source)
    assert trace["stdout"] == "tf.Tensor([[5.]], shape=(1, 1), dtype=float32)\n"
    shown = [
        (trace["definitions"][node["definition"]]["label"], trace["strings"][node["variable"]])
        for node in table(trace, "nodes")
        if node["variable"] >= 0
    ]
    assert shown == [("Const", "a"), ("MatMul", "c")]


def test_a_training_step_is_forward_backward_update() -> None:
    source = (
        "import tensorflow as tf\nw = tf.Variable(2.0)\nfor i in range(2):\n    with tf.GradientTape() as tape:\n"
        "        loss = (w * 3.0 - 1.0) ** 2\n    dw = tape.gradient(loss, w)\n    w.assign_sub(0.1 * dw)\n"
        "print(w.numpy())\n"
    )
    trace = record(source)
    phases = [(trace["strings"][p["name"]], p["episode"]) for p in table(trace, "phases") if p["episode"] >= 0]
    assert phases == [(name, episode) for episode in (0, 1) for name in ("forward", "backward", "update")]
    roles = [trace["definitions"][node["definition"]]["role"] for node in table(trace, "nodes")]
    assert (roles.count("variable"), roles.count("accumulate"), roles.count("update")) == (1, 1, 2)
    assert [trace["strings"][w["how"]] for w in table(trace, "events.written")] == ["initial", "assign", "assign"]


@pytest.mark.parametrize("name", ["distribute", "lite", "sparse"])
def test_what_is_missing_is_named(name: str, serving: Any) -> None:
    said = f"^module 'tensorflow' has no attribute '{name}' in this teaching engine"
    with serving("tf2") as tensorflow, pytest.raises(AttributeError, match=said):
        getattr(tensorflow, name)


@pytest.mark.parametrize("name", ["Session", "placeholder", "get_variable", "global_variables_initializer"])
def test_names_of_1x_are_refused_in_the_real_words(name: str, serving: Any) -> None:
    said = f"^module 'tensorflow' has no attribute '{name}'$"
    with serving("tf2") as tensorflow, pytest.raises(AttributeError, match=said):
        getattr(tensorflow, name)


def test_recording_of_ops_is_as_before_when_the_program_is_over() -> None:
    record("import tensorflow as tf\ntape = tf.GradientTape()\ntape.__enter__()\n")
    assert modes.enabled
