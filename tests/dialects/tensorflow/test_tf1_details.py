"""Small things of 1.x that students read: names of summed gradients, where a variable was made, what errors are."""

from __future__ import annotations

from engine.recording.inprocess import record

PRELUDE = "import tensorflow as tf\nx = tf.placeholder(tf.float32, name='x')\n"


def test_gradients_that_are_added_up_are_an_addn() -> None:
    trace = record(
        PRELUDE + "print(tf.gradients(x * x + tf.sin(x), x))\nc = tf.constant(2.0)\n"
        "first, = tf.gradients(c * c * c, c)\nprint(first.name, first.op.type)\n"
        "with tf.Session() as s:\n    print(float(s.run(first)))\n"
    )
    assert trace["end"]["kind"] == "ok", trace["end"]
    assert trace["stdout"].splitlines() == [
        "[<tf.Tensor 'gradients/AddN:0' shape=<unknown> dtype=float32>]",
        "gradients_1/AddN:0 AddN",
        "12.0",
    ]


def test_a_variable_says_where_it_was_defined() -> None:
    trace = record(
        PRELUDE + "def make():\n    with tf.variable_scope('s'):\n        return tf.get_variable('v', [1])\n"
        "make()\nmake()\n"
    )
    made = '  File "main.py", line 5, in make\n  File "main.py", line 6, in <module>'
    assert trace["end"]["error"]["message"].rstrip().endswith(f"Originally defined at:\n\n{made}")


def test_errors_have_the_real_module() -> None:
    trace = record(PRELUDE + "w = tf.Variable(1.0)\nwith tf.Session() as s:\n    s.run(w)\n")
    text = trace["end"]["error"]["traceback"]
    assert "tensorflow.python.framework.errors_impl.FailedPreconditionError: " in text
