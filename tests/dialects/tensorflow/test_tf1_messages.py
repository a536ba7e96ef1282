"""What the facade says and refuses, where whole programs do not reach."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine.dialects import tensorflow as dialect


@pytest.fixture
def tf() -> Iterator[Any]:
    modules = dialect.modules("tf1")
    saved = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    yield modules["tensorflow"]
    for name, module in saved.items():
        if module is None:
            del sys.modules[name]
        else:
            sys.modules[name] = module


def test_there_are_two_versions() -> None:
    with pytest.raises(ValueError, match="tf3"):
        dialect.modules("tf3")


def test_compat_v1_is_the_same_thing(tf: Any) -> None:
    import tensorflow.compat.v1 as v1  # type: ignore[import-not-found]
    from tensorflow.compat.v1 import nn  # type: ignore[import-not-found]

    v1.disable_v2_behavior()
    assert v1.placeholder is tf.placeholder is tf.compat.v1.placeholder
    assert nn.relu is tf.nn.relu


def test_missing_names_are_explained(tf: Any) -> None:
    with pytest.raises(
        AttributeError, match=r"'tensorflow' has no attribute 'reduce_men'.*teaching engine.*tensorflow.reduce_mean"
    ):
        _ = tf.reduce_men
    with pytest.raises(AttributeError, match=r"'tensorflow.nn' has no attribute 'reluu'.*tensorflow.nn.relu"):
        _ = tf.nn.reluu


def test_modules_begin_with_an_empty_graph(tf: Any) -> None:
    tf.constant(1.0)
    assert len(tf.get_default_graph().get_operations()) == 1
    other = dialect.modules("tf1")["tensorflow"]
    assert other.get_default_graph().get_operations() == []


@pytest.mark.parametrize(
    ("value", "dtype", "printed"),
    [
        (1, "int32", "1"), (1.5, "float32", "1.5"), (True, "bool", "True"), ([1, 2.5], "float32", "[1.  2.5]"),
        (np.float64(2), "float64", "2.0"), (np.arange(3), "int64", "[0 1 2]"), ("abc", "string", "b'abc'"),
        (["a", "bc"], "string", "[b'a' b'bc']"), (2**40, "int64", "1099511627776"), ([], "float32", "[]"),
        ([[1, 2], [3, 4]], "int32", "[[1 2]\n [3 4]]"),
    ],
)  # fmt: skip
def test_constants_have_the_dtypes_of_tensorflow(tf: Any, value: Any, dtype: str, printed: str) -> None:
    tensor = tf.constant(value)
    assert tensor.dtype.name == dtype
    with tf.Session() as sess:
        assert str(sess.run(tensor)) == printed


def test_integers_stay_integers(tf: Any) -> None:
    n = tf.constant([1, 2, 4])
    with tf.Session() as sess:
        total, mean, product = sess.run([tf.reduce_sum(n), tf.reduce_mean(n), tf.reduce_prod(n)])
        assert [(v.dtype.name, v.item()) for v in (total, mean, product)] == [("int32", 7), ("int32", 2), ("int32", 8)]
        assert sess.run(n / 2).dtype == np.float64
        assert sess.run(n // 2).tolist() == [0, 1, 2]
        assert sess.run(tf.div(n, 2)).tolist() == [0, 1, 2]


def test_feeding_an_integer_that_is_too_big(tf: Any) -> None:
    n = tf.placeholder(tf.int32, [])
    with (
        tf.Session() as sess,
        pytest.raises(TypeError, match="Type of feed value 1099511627776 with type <class 'int'>"),
    ):
        sess.run(n, {n: 2**40})


def test_sessions_nest_and_close_in_any_order(tf: Any) -> None:
    x = tf.constant(3.0)
    outer = tf.InteractiveSession()
    with tf.Session():
        assert x.eval() == 3
    assert x.eval() == 3
    outer.close()
    with pytest.raises(ValueError, match="No default session is registered"):
        x.eval()


def test_an_update_hides_its_lowered_parts(tf: Any) -> None:
    w = tf.Variable([1.0], name="w")
    before = {op.name for op in tf.get_default_graph().get_operations()}
    train = tf.train.GradientDescentOptimizer(0.5).minimize(w * w)
    made = [
        op
        for op in tf.get_default_graph().get_operations()
        if op.name not in before and not op.name.startswith("gradients")
    ]
    assert [(op.name, op.type) for op in made] == [
        ("mul", "Mul"),
        ("GradientDescent/learning_rate", "Const"),
        ("GradientDescent/update_w/ApplyGradientDescent", "ApplyGradientDescent"),
        ("GradientDescent", "NoOp"),
    ]
    assert [t.name.split("/")[0] for t in made[2].inputs] == ["w:0", "GradientDescent", "gradients"]
    assert [op.name for op in train.control_inputs] == ["GradientDescent/update_w/ApplyGradientDescent"]


def test_what_belongs_to_another_graph(tf: Any) -> None:
    x = tf.constant(1.0)
    with tf.Graph().as_default():
        y = tf.constant(2.0)
        with pytest.raises(ValueError, match="must be from the same graph as"):
            tf.add(x, y)
        with tf.Session() as sess, pytest.raises(ValueError, match="is not an element of this graph"):
            sess.run(x)
    with tf.Session() as sess, pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
        sess.run(x, {y: 1.0})


def test_no_gradient_for_any_variable(tf: Any) -> None:
    tf.Variable(1.0, name="w")
    with pytest.raises(ValueError, match="No gradients provided for any variable, check your graph"):
        tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(2.0))
    with tf.Graph().as_default(), pytest.raises(ValueError, match="No variables to optimize"):
        tf.train.AdamOptimizer().minimize(tf.constant(2.0))


def test_a_failed_run_keeps_the_assignments_that_were_done(tf: Any) -> None:
    with tf.Graph().as_default():
        v, x = tf.Variable([1.0, 2.0]), tf.placeholder(tf.int32, [1])
        with tf.control_dependencies([tf.assign_add(v, [1.0, 1.0])]):
            taken = tf.gather(tf.constant([1.0, 2.0]), x)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for done in range(1, 4):
                with pytest.raises(tf.errors.InvalidArgumentError, match="7"):
                    session.run(taken, {x: [7]})
                assert session.run(v).tolist() == [1.0 + done, 2.0 + done]
