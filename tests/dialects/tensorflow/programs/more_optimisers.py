"""Optimisers that few programs use, second derivatives, spread images, areas under curves."""

import numpy as np
import tensorflow as tf

v = tf.Variable(0.5)
loss = tf.square(v - 3.0)
optimisers = [
    tf.train.AdadeltaOptimizer(1.0), tf.train.FtrlOptimizer(0.5),
    tf.train.FtrlOptimizer(0.5, l1_regularization_strength=0.1, l2_regularization_strength=0.1),
    tf.train.ProximalGradientDescentOptimizer(0.1, l1_regularization_strength=0.5),
]  # fmt: skip
for optimiser in optimisers:
    step = optimiser.minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(5):
            session.run(step)
        print(optimiser.get_name(), f"{session.run(v):.5f}", sorted(x.op.name for x in optimiser.variables()))

x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
second = tf.hessians(tf.reduce_sum(x**3) + tf.reduce_prod(x), x)[0]
batch = tf.placeholder(tf.float32, [None, 2, 2, 1])
weights = tf.constant(np.arange(8).reshape(2, 2, 2, 1), tf.float32)
sizes = tf.stack([tf.shape(batch)[0], 4, 4, 2])
spread = tf.nn.conv2d_transpose(batch, weights, sizes, [1, 2, 2, 1])
fixed = tf.nn.conv2d_transpose(batch, weights, [1, 3, 3, 2], [1, 1, 1, 1], "VALID")
narrow = tf.nn.conv1d(tf.reshape(batch, [-1, 4, 1]), tf.ones([3, 1, 2]), 1, "SAME")
slope = tf.gradients(tf.reduce_sum(fixed**2), weights)[0]
area, update = tf.metrics.auc(tf.constant([1, 0, 1, 0]), tf.constant([0.9, 0.4, 0.35, 0.1]))
hits, more_hits = tf.metrics.true_positives([1, 0, 1], [1, 1, 1])
products = tf.cumprod([2, 3, 4], exclusive=True), tf.cumprod([[2, 3], [4, 5]], axis=1, reverse=True)
print(fixed, narrow.shape, tf.moving_average_variables(), tf.model_variables())
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    print(session.run(second).tolist())
    images = {batch: np.arange(4).reshape(1, 2, 2, 1)}
    print(session.run(spread, images)[0, :, :, 1].tolist(), session.run(fixed, images)[0, :, :, 0].tolist())
    print(session.run(narrow, images)[0].tolist(), session.run(slope, images).reshape(-1).tolist())
    session.run([update, more_hits])
    print(f"{session.run(area):.4f}", session.run(hits), session.run(products))
