"""Graphs with decisions and loops that a program exports and imports again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
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


FILES = Path(__file__).parents[2] / "static" / "fixtures"


@pytest.mark.parametrize("name", ["convolution", "recurrent", "frames", "training"])
def test_a_file_that_tensorflow_wrote(name: str, serving: Any) -> None:
    given = np.load(FILES / f"tensorflow_{name}.npz")
    pick = 1 if name == "frames" else ...  # several runs of one graph: this is the second
    with serving("tf1") as tf:
        data = tf.GraphDef()
        data.ParseFromString((FILES / f"tensorflow_{name}.pb").read_bytes())
        fed = {f"m/{key[3:]}:0": given[key][pick] for key in given.files if key.startswith("in:")}
        wanted = {key[4:]: given[key][pick] for key in given.files if key.startswith("out:")}
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(data, name="m")
            names = {op.name for op in graph.get_operations()}
            with tf.Session() as session:
                if "m/init" in names:
                    session.run("m/init")
                for key, value in wanted.items():
                    found = session.run(f"m/{key}" + ("" if ":" in key else ":0"), fed)
                    np.testing.assert_allclose(found, value, rtol=1e-4, atol=1e-5, err_msg=key)
    assert wanted
