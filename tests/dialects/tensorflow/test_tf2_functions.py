"""``tf.function``: what a recording shows of traces, warnings, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine.recording.inprocess import record
from engine.trace.reading import table

TRACED = """
import tensorflow as tf
@tf.function
def f(x, scale=1.0):
    return x * scale
f(tf.constant([1.0]))
f(tf.constant([2.0]))
f(tf.constant([1.0, 2.0]))
f(tf.constant([1.0]), scale=2.0)
"""


def test_each_trace_is_a_graph_that_says_why_it_was_made() -> None:
    trace = record(TRACED)
    names = [trace["strings"][row["name"]] for row in table(trace, "graphs")]
    assert [name for name in names if name.startswith("f;")] == [
        "f; made because this is the first call",
        "f; made because x has shape (2,), trace 0 takes (1,)",
        "f; made because scale is the float 2.0, trace 0 takes the float 1.0",
    ]


def test_calls_that_keep_tracing_are_warned_of_twice(serving: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with serving("tf2") as tf:
        g = tf.function(lambda x: x + 1)
        for n in range(8):
            g(n)
    said = capsys.readouterr().err
    assert said.count("triggered tf.function retracing") == 2
    assert said.startswith("WARNING:tensorflow:5 out of the last 5 calls to <function ")


def test_a_function_that_is_called_while_another_is_traced_is_traced_once(serving: Any) -> None:
    seen: list[Any] = []
    with serving("tf2") as tf:

        @tf.function
        def inner(x: Any) -> Any:
            seen.append(x)
            return x * x

        @tf.function
        def outer(x: Any) -> Any:
            return inner(x) + inner(x + 1.0)

        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = outer(x)
        assert (float(y), float(tape.gradient(y, x)), len(seen)) == (25.0, 14.0, 1)


def test_what_only_means_something_in_the_program_cannot_be_saved(serving: Any, tmp_path: Any) -> None:
    with serving("tf2") as tf:
        module = tf.Module()
        module.shown = tf.function(lambda x: (tf.print(x), x)[1], input_signature=[tf.TensorSpec([])])
        with pytest.raises(ValueError, match="cannot be saved"):
            tf.saved_model.save(module, str(tmp_path / "model"))


def test_a_loop_over_elements_of_unknown_rank_leaves_its_variables_as_open_as_they_come(serving: Any) -> None:
    with serving("tf2") as tf:

        @tf.function
        def total(dataset: Any) -> Any:
            found = tf.zeros([1, 2])
            for x in dataset:
                found += x
            return found

        rows = tf.data.Dataset.from_generator(lambda: iter([[1.0, 2.0], [3.0, 4.0]]), tf.float32)
        assert total(rows).numpy().tolist() == [[4.0, 6.0]]
        assert str(total.get_concrete_function(rows).output_shapes) == "<unknown>"
