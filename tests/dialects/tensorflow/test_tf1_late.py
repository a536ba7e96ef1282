"""Late 1.x: eager execution switched on by hand, and what then works, builds graphs still, or is refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine.recording.inprocess import record


@pytest.fixture
def tf(serving: Any) -> Any:
    with serving("tf1") as tensorflow:
        tensorflow.enable_eager_execution()
        yield tensorflow


def test_the_switch_comes_first(serving: Any) -> None:
    with serving("tf1") as tf:
        assert not tf.executing_eagerly()
        tf.constant(1)
        with pytest.raises(ValueError, match=r"^tf\.enable_eager_execution must be called at program startup\.$"):
            tf.enable_eager_execution()


def test_ops_compute_at_once_and_graphs_are_built_where_asked_for(tf: Any) -> None:
    assert tf.add(1, 2).numpy() == 3
    with tf.Graph().as_default() as graph:
        assert not tf.executing_eagerly()
        built = tf.add(tf.placeholder(tf.int32, name="x"), 2)
        assert [op.name for op in graph.get_operations()] == ["x", "Add/y", "Add"]
        with tf.Session(graph=graph) as session:
            assert session.run(built, {"x:0": 5}) == 7
    assert tf.executing_eagerly()


def test_datasets_are_gone_through(tf: Any) -> None:
    rows = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).map(lambda x: tf.square(x) + 1.0).batch(2)
    assert [row.numpy().tolist() for row in rows] == [[2.0, 5.0], [10.0]]
    assert tf.contrib.eager.Iterator(rows).next().numpy().tolist() == [2.0, 5.0]


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("GradientDescentOptimizer", {"learning_rate": 0.1}, 1.536),
        ("MomentumOptimizer", {"learning_rate": 0.1, "momentum": 0.9}, 0.186),
        ("AdagradOptimizer", {"learning_rate": 0.5}, 1.937198),
        ("RMSPropOptimizer", {"learning_rate": 0.1}, 2.342715),
        ("AdamOptimizer", {"learning_rate": 0.1}, 2.700383),
    ],
)
def test_optimisers_write_at_once(tf: Any, name: str, options: dict[str, float], expected: float) -> None:
    """The numbers are those of TensorFlow 2.21."""
    w = tf.Variable(3.0)
    optimizer = getattr(tf.train, name)(**options)
    assert isinstance(optimizer, tf.train.Optimizer)
    for _ in range(3):
        optimizer.minimize(lambda: w * w)
    assert w.numpy() == pytest.approx(expected, rel=1e-6)


def test_gradients_of_what_a_function_reads(tf: Any) -> None:
    w = tf.contrib.eager.Variable(3.0)
    value, pairs = tf.contrib.eager.implicit_value_and_gradients(lambda x: w * w * x)(2.0)
    assert (value.numpy(), [(g.numpy(), v is w) for g, v in pairs]) == (18.0, [(12.0, True)])
    assert tf.contrib.eager.gradients_function(lambda x, y: x * y)(3.0, 4.0)[0].numpy() == 4.0


def test_checkpoints_hold_the_variables_of_objects(tf: Any, tmp_path: Any) -> None:
    w = tf.Variable([1.0, 2.0])
    path = tf.train.Checkpoint(w=w, step=tf.train.get_or_create_global_step()).save(str(tmp_path / "ck"))
    w.assign([0.0, 0.0])
    tf.train.Checkpoint(w=w).restore(path).assert_consumed()
    assert w.numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("placeholder", RuntimeError, r"^tf\.placeholder\(\) is not compatible with eager execution\.$"),
        ("gradients", RuntimeError, r"^tf\.gradients is not supported when eager execution is enabled\."),
        ("while_loop", NotImplementedError, r"^tf\.while_loop: this teaching engine has it for graphs"),
    ],
)
def test_what_is_for_graphs_only(tf: Any, name: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        getattr(tf, name)(tf.float32, 1, 2)


def test_the_tutorials_digits_are_learned() -> None:
    trace = record(
        "from tensorflow.examples.tutorials.mnist import input_data\nimport tensorflow as tf\n"
        "mnist = input_data.read_data_sets('MNIST_data/', one_hot=True)\n"
        "x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.float32, [None, 10])\n"
        "logits = tf.layers.dense(x, 10, kernel_initializer=tf.zeros_initializer())\n"
        "loss = tf.losses.softmax_cross_entropy(y, logits)\n"
        "step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)\n"
        "right = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))\n"
        "with tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n    for _ in range(100):\n"
        "        bx, by = mnist.train.next_batch(50)\n        s.run(step, {x: bx, y: by})\n"
        "    print(s.run(right, {x: mnist.test.images, y: mnist.test.labels}) > 0.8, mnist.train.num_examples)\n"
    )
    assert trace["end"]["kind"] == "ok", trace["end"]
    assert trace["stdout"].endswith("\nTrue 5500\n")
