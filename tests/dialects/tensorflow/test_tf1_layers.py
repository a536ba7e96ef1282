"""``tf.layers`` and ``tf.contrib.layers`` of 1.x against NumPy."""

from __future__ import annotations

import pytest

from engine.recording.inprocess import record


def run(source: str) -> list[str]:
    trace = record("# stepgraph: tf1\nimport numpy as np\nimport tensorflow as tf\n" + source, "m.py", files={})
    assert trace["end"]["kind"] == "ok", trace["end"]["error"]
    return str(trace["stdout"]).splitlines()


def test_dense_layers_names_sharing_and_values() -> None:
    source = """
x = tf.placeholder(tf.float32, [None, 3])
a = tf.layers.dense(x, 4, activation=tf.nn.relu)
b = tf.layers.dense(a, 2, name="out", use_bias=False, kernel_regularizer=tf.contrib.layers.l2_regularizer(0.5))
shared = tf.layers.Dense(2, name="both")
c, d = shared(a), shared(a * 2)
t = tf.layers.dense(tf.placeholder(tf.float32, [None, 5, 3], name="seq"), 2)
with tf.variable_scope("tower"):
    e = tf.layers.dense(x, 1)
print(a.name, b.name, b.shape, t.shape, e.op.name, len(tf.get_collection("regularization_losses")))
print([(v.op.name, v.shape.as_list()) for v in tf.trainable_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    data = np.float32([[1, 2, 3], [4, 5, 6]])
    w, bias, k, kb = sess.run(tf.trainable_variables())[:2] + sess.run([shared.kernel, shared.bias])
    hidden = np.maximum(data @ w + bias, 0)
    print(np.allclose(sess.run(a, {x: data}), hidden),
          np.allclose(sess.run(d, {x: data}), 2 * hidden @ k + kb, atol=1e-5))
    seq = np.arange(30, dtype=np.float32).reshape(2, 5, 3)
    tk = sess.run("dense_1/kernel:0")
    print(np.allclose(sess.run(t, {"seq:0": seq}), seq @ tk, atol=1e-4))
    print(abs(w).max() <= np.sqrt(6 / 7), (bias == 0).all())
"""
    assert run(source) == [
        "dense/Relu:0 out/MatMul:0 (?, 2) (?, 5, 2) tower/dense/BiasAdd 1",
        "[('dense/kernel', [3, 4]), ('dense/bias', [4]), ('out/kernel', [4, 2]), ('both/kernel', [4, 2]), "
        "('both/bias', [2]), ('dense_1/kernel', [3, 2]), ('dense_1/bias', [2]), ('tower/dense/kernel', [3, 1]), "
        "('tower/dense/bias', [1])]",
        "True True",
        "True",
        "True True",
    ]


@pytest.mark.parametrize(
    "layer",
    [
        "tf.layers.batch_normalization(x, training=t)",
        "tf.contrib.layers.batch_norm(x, scale=True, decay=0.99, is_training=t)",
    ],
)
def test_batch_normalization_moves_its_averages(layer: str) -> None:
    source = f"""
x = tf.placeholder(tf.float32, [None, 2])
t = tf.placeholder(tf.bool, [])
y = {layer}
update = tf.group(*tf.get_collection(tf.GraphKeys.UPDATE_OPS))
print(len(tf.trainable_variables()), len(tf.global_variables()))
data = np.float32([[1, 10], [3, 30], [8, 20]])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    fresh = (data - data.mean(0)) / np.sqrt(data.var(0) + 1e-3)
    print(np.allclose(sess.run(y, {{x: data, t: True}}), fresh, atol=1e-4))
    print(np.allclose(sess.run(y, {{x: data, t: False}}), data / np.sqrt(1 + 1e-3), atol=1e-4))
    for _ in range(2):
        sess.run(update, {{x: data, t: True}})
    moving = [sess.run(v) for v in tf.global_variables() if "moving" in v.name]
    print(np.allclose(moving[0], data.mean(0) * (1 - 0.99 ** 2)),
          np.allclose(moving[1], 0.99 ** 2 + data.var(0) * (1 - 0.99 ** 2)))
"""
    assert run(source) == ["2 4", "True", "True", "True True"]


def test_dropout_flatten_and_scopes_of_arguments() -> None:
    source = """
x = tf.ones([4, 5, 2])
on = tf.placeholder(tf.bool, [])
d = tf.layers.dropout(x, 0.5, training=on, seed=1)
f = tf.layers.flatten(x)
g = tf.contrib.layers.flatten(x)
L = tf.contrib.layers
with tf.contrib.framework.arg_scope([L.fully_connected], activation_fn=tf.nn.sigmoid, biases_initializer=None):
    h = L.fully_connected(f, 3)
    k = L.fully_connected(f, 3, activation_fn=None, scope="plain")
m = L.fully_connected(f, 3, normalizer_fn=L.batch_norm, normalizer_params={"is_training": True})
print(h.op.type, k.op.type, m.op.type, [v.op.name for v in tf.trainable_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    dropped = sess.run(d, {on: True})
    print(sorted(set(dropped.ravel().tolist())), sess.run(d, {on: False}).sum(), sess.run(f).shape, sess.run(g).shape)
    w = sess.run("fully_connected/weights:0")
    print(np.allclose(sess.run(h), 1 / (1 + np.exp(-(np.ones((4, 10)) @ w))), atol=1e-6))
    print(sess.run(L.l1_regularizer(0.5)(tf.constant([1.0, -3.0]))),
          sess.run(L.l2_regularizer(0.5)(tf.constant([1.0, -3.0]))))
try:
    tf.layers.dense(tf.placeholder(tf.float32, [None, None]), 2)
except ValueError as error:
    print(error)
"""
    assert run(source) == [
        "Sigmoid MatMul Relu ['fully_connected/weights', 'plain/weights', 'fully_connected_1/weights', "
        "'fully_connected_1/BatchNorm/beta']",
        "[0.0, 2.0] 40.0 (4, 10) (4, 10)",
        "True",
        "2.0 2.5",
        "The last dimension of the inputs to a Dense layer should be defined. Found None. Full input shape received: "
        "(?, ?)",
    ]


def test_layers_without_names_are_shared_where_a_scope_is_opened_again() -> None:
    source = """
def judge(x, again=False):
    with tf.variable_scope("judge") as scope:
        if again:
            scope.reuse_variables()
        return tf.layers.dense(tf.layers.dense(x, 4), 1)
x = tf.placeholder(tf.float32, [None, 2])
real, fake = judge(x), judge(x * 2.0, again=True)
print([v.op.name for v in tf.trainable_variables()], real.name, fake.name)
"""
    names = ["judge/dense/kernel", "judge/dense/bias", "judge/dense_1/kernel", "judge/dense_1/bias"]
    assert run(source) == [f"{names} judge/dense_1/BiasAdd:0 judge_1/dense_1/BiasAdd:0"]


def test_variables_of_a_layer_have_the_dtype_of_its_inputs() -> None:
    source = """
data = tf.constant(np.arange(6.0).reshape(3, 2))
hidden = tf.layers.dense(data, 2, kernel_initializer=tf.ones_initializer())
print(hidden.dtype, [v.dtype for v in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(hidden).tolist())
"""
    assert run(source) == [
        "<dtype: 'float64'> [tf.float64_ref, tf.float64_ref]",
        "[[1.0, 1.0], [5.0, 5.0], [9.0, 9.0]]",
    ]
