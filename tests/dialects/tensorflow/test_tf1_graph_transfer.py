"""Graphs with decisions and loops that a program exports and imports again."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("passes", [0, 2, 5])
def test_a_decision_in_a_loop_survives_its_graph_def(passes: int, serving: Any) -> None:
    with serving("tf1") as tf:
        n = tf.placeholder(tf.int32, (), name="n")
        _, t = tf.while_loop(
            lambda i, t: i < n,
            lambda i, t: (i + 1, tf.cond(t > 4.0, lambda: t + 1.0, lambda: t * 2.0)),
            (tf.constant(0), tf.constant(1.0)),
        )
        tf.identity(t, name="r")
        data = tf.get_default_graph().as_graph_def().SerializeToString()
        with tf.Graph().as_default():
            again = tf.GraphDef()
            again.ParseFromString(data)
            tf.import_graph_def(again, name="copy")
            with tf.Session() as session:
                found = session.run("copy/r:0", {"copy/n:0": passes})
    wanted = 1.0
    for _ in range(passes):
        wanted = wanted + 1.0 if wanted > 4.0 else wanted * 2.0
    assert found == wanted
