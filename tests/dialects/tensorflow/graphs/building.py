"""Small programs that build a graph with 1.x names: each takes ``tf`` and leaves its ops in the default graph.

``ops.json`` beside this file holds what TensorFlow 2.21 (``compat.v1`` without the behaviour of version 2) lists for
each: run this file with an interpreter that has TensorFlow to write it anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

GRAPHS: dict[str, Callable[[Any], None]] = {}
GOLDEN = Path(__file__).with_name("ops.json")


def graph(build: Callable[[Any], None]) -> Callable[[Any], None]:
    GRAPHS[build.__name__] = build
    return build


def listed(tf: Any, build: Callable[[Any], None]) -> list[list[str]]:
    """The (name, type) pairs of the graph, in order."""
    with tf.Graph().as_default() as made:
        build(tf)
    return [[op.name, op.type] for op in made.get_operations()]


def _both(tf: Any, known: bool = True) -> Any:
    """A matrix and a row: their shapes differ, so gradients are summed back."""
    rows = 3 if known else None
    return tf.placeholder(tf.float32, [rows, 2], name="a"), tf.placeholder(tf.float32, [2], name="b")


def _binary(name: str, function: Callable[[Any, Any, Any], Any], known: bool = True) -> None:
    def build(tf: Any) -> None:
        a, b = _both(tf, known)
        tf.gradients(function(tf, a, b), [a, b])

    GRAPHS[name] = build


def _unary(name: str, function: Callable[[Any, Any], Any], shape: Any = (3, 2)) -> None:
    def build(tf: Any) -> None:
        x = tf.placeholder(tf.float32, shape, name="x")
        tf.gradients(function(tf, x), [x])

    GRAPHS[name] = build


for _known, _suffix in ((True, ""), (False, "_unknown")):
    _binary(f"add{_suffix}", lambda tf, a, b: a + b, _known)
    _binary(f"subtract{_suffix}", lambda tf, a, b: a - b, _known)
    _binary(f"multiply{_suffix}", lambda tf, a, b: a * b, _known)
    _binary(f"divide{_suffix}", lambda tf, a, b: a / b, _known)
_binary("power", lambda tf, a, b: a**b)
_binary("maximum", lambda tf, a, b: tf.maximum(a, b))
_binary("minimum", lambda tf, a, b: tf.minimum(a, b))
_binary("squared_difference", lambda tf, a, b: tf.squared_difference(a, b))
_binary("bias_add", lambda tf, a, b: tf.nn.bias_add(a, b))
_binary("choose", lambda tf, a, b: tf.where(a > 0.0, a, a * 2.0))
_binary("used_twice", lambda tf, a, b: a * b + a * 3.0 + b)
_binary("linear", lambda tf, a, b: tf.reduce_sum(a * 2.0 + b, 1), False)

for _name in (
    "exp",
    "log",
    "sqrt",
    "square",
    "tanh",
    "sigmoid",
    "abs",
    "negative",
    "sin",
    "cos",
    "rsqrt",
    "log1p",
    "reciprocal",
):
    _unary(_name, lambda tf, x, _name=_name: getattr(tf, _name)(x))  # type: ignore[misc]
for _name in (
    "relu",
    "softplus",
    "elu",
    "softmax",
    "log_softmax",
    "relu6",
    "leaky_relu",
    "l2_loss",
    "softsign",
    "selu",
):
    _unary(_name, lambda tf, x, _name=_name: getattr(tf.nn, _name)(x))  # type: ignore[misc]
_unary("reduce_sum", lambda tf, x: tf.reduce_sum(x))
_unary("reduce_sum_axis", lambda tf, x: tf.reduce_sum(x, axis=1))
_unary("reduce_sum_unknown", lambda tf, x: tf.reduce_sum(x), (None, 2))
_unary("reduce_sum_axis_unknown", lambda tf, x: tf.reduce_sum(x, axis=1, keepdims=True), (None, 2))
_unary("reduce_mean", lambda tf, x: tf.reduce_mean(x))
_unary("reduce_mean_axis", lambda tf, x: tf.reduce_mean(x, axis=0))
_unary("reduce_mean_unknown", lambda tf, x: tf.reduce_mean(x), (None, 2))
_unary("reduce_max", lambda tf, x: tf.reduce_max(x, axis=1))
_unary("reduce_prod", lambda tf, x: tf.reduce_prod(x, axis=1))
_unary("reshape", lambda tf, x: tf.reshape(x, [2, 3]))
_unary("transpose", lambda tf, x: tf.transpose(x))
_unary("expand_dims", lambda tf, x: tf.expand_dims(x, 0))
_unary("squeeze", lambda tf, x: tf.squeeze(x), (1, 3))
_unary("concat", lambda tf, x: tf.concat([x, x * 2.0], 0))
_unary("stack", lambda tf, x: tf.stack([x, x * 2.0]))
_unary("unstack", lambda tf, x: tf.unstack(x)[0])
_unary("split", lambda tf, x: tf.split(x, 2, 1)[0])
_unary("tile", lambda tf, x: tf.tile(x, [2, 1]))
_unary("pad", lambda tf, x: tf.pad(x, [[1, 1], [0, 0]]))
_unary("strided_slice", lambda tf, x: x[1:, 0])
_unary("slice", lambda tf, x: tf.slice(x, [0, 0], [1, 2]))
_unary("gather", lambda tf, x: tf.gather(x, [0, 2]))
_unary("cast", lambda tf, x: tf.cast(x, tf.float64))
_unary("identity", lambda tf, x: tf.identity(x))
_unary("clip_by_value", lambda tf, x: tf.clip_by_value(x, 0.0, 1.0))
_unary("add_n", lambda tf, x: tf.add_n([x, x, x]))
_unary("power_of_two", lambda tf, x: x**2)
_unary("scalar_chain", lambda tf, x: tf.sin(x) * x + 1.0, ())
_unary("second_order", lambda tf, x: tf.gradients(x**3, [x])[0], ())


@graph
def matrix_product(tf: Any) -> None:
    a = tf.placeholder(tf.float32, [2, 3], name="a")
    b = tf.placeholder(tf.float32, [3, 4], name="b")
    tf.gradients(tf.matmul(a, b), [a, b])


@graph
def matrix_product_turned(tf: Any) -> None:
    a = tf.placeholder(tf.float32, [3, 2], name="a")
    b = tf.placeholder(tf.float32, [4, 3], name="b")
    tf.gradients(tf.matmul(a, b, transpose_a=True, transpose_b=True), [a, b])


@graph
def initial_gradients(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.gradients([x * 2.0, x + 1.0], x, grad_ys=[tf.ones([2]), [1.0, 2.0]], name="back")


@graph
def unconnected(tf: Any) -> None:
    x, y = tf.placeholder(tf.float32, [2], name="x"), tf.placeholder(tf.float32, [2], name="y")
    tf.gradients(x * 2.0, [x, y])
    tf.gradients(tf.stop_gradient(x) * x, x, stop_gradients=[x])


@graph
def softmax_loss(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [None, 3], name="y")
    tf.gradients(tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x)), x)


@graph
def softmax_loss_known(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    y = tf.placeholder(tf.float32, [4, 3], name="y")
    tf.gradients(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x), x)


@graph
def sparse_softmax_loss(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.int32, [None], name="y")
    tf.gradients(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x), x)


@graph
def sigmoid_loss(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [None, 3], name="y")
    tf.gradients(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x), x)


def _line(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.placeholder(tf.float32, [None], name="y")
    w, b = tf.Variable(0.5, name="w"), tf.Variable(0.0, name="b")
    return tf.reduce_mean(tf.square(w * x + b - y))


def _network(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    y = tf.placeholder(tf.float32, [None, 3], name="y")
    w1 = tf.Variable(tf.random_normal([4, 8], stddev=0.1), name="w1")
    b1 = tf.Variable(tf.zeros([8]), name="b1")
    w2 = tf.Variable(tf.truncated_normal([8, 3], stddev=0.1), name="w2")
    b2 = tf.Variable(tf.zeros([3]), name="b2")
    h = tf.nn.relu(tf.matmul(x, w1) + b1)
    logits = tf.matmul(h, w2) + b2
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))


@graph
def line_fit(tf: Any) -> None:
    tf.train.GradientDescentOptimizer(0.1).minimize(_line(tf))
    tf.global_variables_initializer()


def _trained(name: str, optimizer: Callable[[Any], Any]) -> None:
    def build(tf: Any) -> None:
        optimizer(tf).minimize(_network(tf))
        tf.global_variables_initializer()

    GRAPHS[name] = build


_trained("network_sgd", lambda tf: tf.train.GradientDescentOptimizer(0.1))
_trained("network_momentum", lambda tf: tf.train.MomentumOptimizer(0.1, 0.9))
_trained("network_adam", lambda tf: tf.train.AdamOptimizer(0.01))
_trained("network_adagrad", lambda tf: tf.train.AdagradOptimizer(0.01))
_trained("network_rmsprop", lambda tf: tf.train.RMSPropOptimizer(0.01))


@graph
def get_variables(tf: Any) -> None:
    with tf.variable_scope("layer"):
        w = tf.get_variable("w", [3, 2])
        b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
        tf.get_variable("c", [2], initializer=tf.constant_initializer(0.5))
        tf.get_variable("d", initializer=tf.ones([2]))
        tf.get_variable("e", [2, 2], initializer=tf.random_uniform_initializer(-1, 1))
        tf.get_variable("f", [2, 2], initializer=tf.truncated_normal_initializer(stddev=0.1))
        tf.get_variable("g", [2, 2], initializer=tf.random_normal_initializer(), dtype=tf.float32)
        tf.get_variable("i", [2], initializer=tf.ones_initializer())
        tf.get_variable("j", [2, 2], initializer=tf.orthogonal_initializer())
    tf.matmul(tf.ones([1, 3]), w) + b
    w.assign(tf.ones([3, 2]))
    b.assign_add([1.0, 2.0])


@graph
def saver(tf: Any) -> None:
    tf.Variable(1.0, name="a")
    tf.Variable([1.0, 2.0], name="b")
    tf.train.Saver()


@graph
def summaries(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [], name="x")
    tf.summary.scalar("loss", x)
    tf.summary.histogram("weights", tf.ones([3]))
    tf.summary.merge_all()


@graph
def clipped(tf: Any) -> None:
    loss = _line(tf)
    opt = tf.train.GradientDescentOptimizer(0.1)
    pairs = opt.compute_gradients(loss)
    clipped, _ = tf.clip_by_global_norm([g for g, _ in pairs], 1.0)
    opt.apply_gradients(zip(clipped, [v for _, v in pairs], strict=True))


@graph
def decayed(tf: Any) -> None:
    step = tf.Variable(0, trainable=False, name="step")
    rate = tf.train.exponential_decay(0.1, step, 100, 0.96, staircase=True)
    tf.train.GradientDescentOptimizer(rate).minimize(_line(tf), global_step=step)


@graph
def convolutions(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x")
    w = tf.Variable(tf.truncated_normal([3, 3, 1, 2], stddev=0.1), name="w")
    b = tf.Variable(tf.constant(0.1, shape=[2]), name="b")
    h = tf.nn.relu(tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME") + b)
    p = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    flat = tf.reshape(p, [-1, 4 * 4 * 2])
    loss = tf.reduce_sum(tf.nn.dropout(flat, 0.5))
    tf.train.GradientDescentOptimizer(0.1).minimize(loss)


@graph
def normalised(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    mean, variance = tf.nn.moments(x, [0])
    y = tf.nn.batch_normalization(x, mean, variance, tf.zeros([4]), tf.ones([4]), 1e-3)
    tf.gradients(y, x)


@graph
def made_values(tf: Any) -> None:
    tf.eye(3)
    tf.linspace(0.0, 1.0, 5)
    tf.range(5)
    tf.fill([2, 2], 1.0)
    tf.zeros([2, 2])
    tf.ones([2])
    tf.zeros_like(tf.constant([1.0, 2.0]))
    tf.one_hot([0, 1], 3)
    tf.random_normal([2, 2], seed=1)
    tf.random_uniform([2, 2])
    tf.truncated_normal([2])
    x = tf.placeholder(tf.float32, [None, 3])
    tf.zeros_like(x)
    tf.ones_like(x)
    tf.shape(x)
    tf.size(x)
    tf.rank(x)
    tf.constant(1.0) + 2.0
    tf.sequence_mask([1, 2], 3)
    tf.equal(tf.argmax(x, 1), tf.argmin(x, 1))
    tf.norm(x)
    tf.tensordot(x, tf.ones([3, 2]), 1)
    tf.reduce_logsumexp(x, 1)
    tf.nn.embedding_lookup(tf.ones([3, 2]), [0, 1])
    tf.boolean_mask(tf.ones([3]), [True, False, True])
    tf.nn.l2_normalize(x, 1)


@graph
def decision(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [], name="x")
    tf.cond(x > 0.0, lambda: x * 2.0, lambda: x - 1.0)


@graph
def decision_gradient(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [], name="x")
    tf.gradients(tf.cond(x > 0.0, lambda: x * x, lambda: x - 1.0), x)


@graph
def counting_loop(tf: Any) -> None:
    tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])


@graph
def loop_of_two(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [], name="x")
    tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * x), [tf.constant(0), tf.constant(1.0)], name="power")


@graph
def loop_gradient(tf: Any) -> None:
    x = tf.placeholder(tf.float32, [], name="x")
    _, y = tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * x), [tf.constant(0), x])
    tf.gradients(y, x)


@graph
def mapped(tf: Any) -> None:
    tf.map_fn(lambda row: row * 2.0, tf.ones([3, 2]))


@graph
def control_order(tf: Any) -> None:
    v = tf.Variable(0.0, name="v")
    add = tf.assign_add(v, 1.0)
    with tf.control_dependencies([add]):
        tf.identity(v)
        tf.group(add, v.initializer)
        tf.no_op()
    tf.tuple([v, tf.constant(1.0)])


if __name__ == "__main__":
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    found = {name: listed(tf, build) for name, build in GRAPHS.items()}
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(ops)}" for name, ops in found.items())
    GOLDEN.write_text(f"{{\n{rows}\n}}\n")
