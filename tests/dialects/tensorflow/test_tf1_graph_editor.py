"""``tf.contrib.graph_editor``: what is selected, what reads what afterwards, what a running session does not notice."""

from __future__ import annotations

from typing import Any

import pytest

BUILD = """
import tensorflow as tf
from tensorflow.contrib import graph_editor as ge
a = tf.constant(1.0, name='a'); b = tf.constant(5.0, name='b')
with tf.name_scope('net'):
    c = tf.add(a, 2.0, name='c'); d = tf.multiply(c, c, name='d')
e = tf.negative(d, name='e')
x = tf.placeholder(tf.float32, [], name='x'); y = tf.square(x, name='y'); z = tf.add(y, 1.0, name='z')
g = tf.get_default_graph()
with tf.Graph().as_default():
    elsewhere = tf.constant(1.0)
def run(fetch, feed=None):
    with tf.Session() as fresh:
        return float(fresh.run(fetch, feed))
"""


@pytest.fixture
def program(serving: Any) -> Any:
    """Runs a program of a few ops, then a line of the test: gives the value of its last expression."""
    with serving("tf1"):
        space: dict[str, Any] = {}
        exec(BUILD, space)

        def value(line: str, *before: str) -> Any:
            for text in before:
                exec(text, space)
            return eval(line, space)

        yield value


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[o.name for o in ge.sgv_scope('net', graph=g).ops]", ["net/c/y", "net/c", "net/d"]),
        ("[o.name for o in ge.select_ops('^net/[cd]$', graph=g)]", ["net/c", "net/d"]),
        ("[t.name for t in ge.select_ts('^a:', graph=g)]", ["a:0"]),
        ("[t.name for t in ge.sgv(c.op, d.op).inputs]", ["a:0", "net/c/y:0"]),
        ("[t.name for t in ge.sgv(c.op, d.op).outputs]", ["net/d:0"]),
        ("[o.name for o in ge.get_backward_walk_ops([d.op])]", ["net/d", "net/c", "a", "net/c/y"]),
        ("[o.name for o in ge.get_forward_walk_ops([c.op], inclusive=False)]", ["net/d", "e"]),
    ],
)
def test_selecting(program: Any, line: str, expected: list[str]) -> None:
    assert program(line) == expected


@pytest.mark.parametrize(
    ("edit", "line", "expected"),
    [
        ("n = ge.reroute_ts([b], [a])", "n, run(e), c.op.inputs[0].name", (1, -49.0, "b:0")),
        ("ge.swap_ts(a, b)", "run(e)", -49.0),
        ("v, p = ge.detach_inputs(ge.sgv(d.op))", "p[0].name, run(e, {p[0]: 3.0})", ("net/geph__c_0:0", -9.0)),
        ("v, p = ge.detach_outputs(ge.sgv(d.op))", "p[0].name, run(e, {p[0]: 3.0})", ("net/geph__d_0:0", -3.0)),
        ("v, p = ge.bypass(ge.sgv(y.op))", "p[0].name, run(z, {x: 7.0})", ("geph__x_0:0", 8.0)),
        ("ge.connect(ge.sgv(y.op), ge.sgv(e.op))", "run(e, {x: 3.0}), e.op.inputs[0].name", (-9.0, "y:0")),
        (
            "v, i = ge.copy(ge.sgv(c.op, d.op), dst_scope='twin', src_scope='net')",
            "[o.name for o in v.ops], i.transformed(d).name, run(i.transformed(d))",
            (["twin/c", "twin/d"], "twin/d:0", 9.0),
        ),
        ("n = ge.graph_replace(z, {x: tf.constant(4.0)}, dst_scope='r')", "n.name, run(n)", ("r/z:0", 17.0)),
        ("ge.add_control_inputs(e.op, y.op)", "[o.name for o in e.op.control_inputs]", ["y"]),
        ("ge.reroute_outputs(ge.sgv(y.op), ge.sgv(d.op))", "run(e, {x: 2.0})", -4.0),
    ],
)
def test_editing(program: Any, edit: str, line: str, expected: Any) -> None:
    assert program(line, edit) == expected


def test_a_session_that_has_run_keeps_its_plan(program: Any, capsys: pytest.CaptureFixture[str]) -> None:
    program("s.run(z, {x: 3.0})", "s = tf.Session()", "s.run(z, {x: 3.0})", "s.run(z, {x: 3.0})")
    assert program("s.run(z, {x: 3.0}), run(z, {x: 3.0})", "ge.reroute_ts([x], [y])") == (10.0, 4.0)
    assert capsys.readouterr().err == (
        "WARNING:tensorflow:Operation 'z' was changed by updating input tensor after it was run by a session. This "
        "mutation will have no effect, and will trigger an error in the future. Either don't modify nodes after "
        "running them or create a new session.\n"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ge.reroute_ts(elsewhere, a)", r"^Argument\[1\]: Wrong graph!$"),
        ("ge.reroute_ts([a, b], [c])", "different sizes: 2 != 1"),
        ("ge.reroute_ts([tf.constant(1)], [a])", "Dtypes"),
        ("ge.reroute_ts([e], [a])", "cycle"),
        ("ge.select_ops('net')", "Use the keyword argument 'graph'"),
    ],
)
def test_what_cannot_be_edited(program: Any, line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        program(line)
