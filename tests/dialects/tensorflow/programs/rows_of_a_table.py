"""Gradients of tables: rows, which some optimisers apply by rows."""

import numpy as np
import tensorflow as tf

table = tf.get_variable("table", initializer=np.arange(8, dtype=np.float32).reshape(4, 2) / 10)
found = tf.nn.embedding_lookup(table, [1, 1, 3])
loss = tf.reduce_sum(found**2)
gradient, = tf.gradients(loss, [table])  # fmt: skip
print(type(gradient).__name__, gradient.values, gradient.dense_shape)
print(len(tf.get_default_graph().get_operations()))
clipped, norm = tf.clip_by_global_norm([gradient], 0.5)
print(type(clipped[0]).__name__)
optimisers = [
    tf.train.GradientDescentOptimizer(0.1), tf.train.MomentumOptimizer(0.1, 0.9), tf.train.RMSPropOptimizer(0.1),
    tf.train.AdagradOptimizer(0.1), tf.train.AdamOptimizer(0.1),
]  # fmt: skip
first = tf.reduce_sum(tf.gather(table, [0]))
both = tf.gradients(first + tf.reduce_sum(table * 2.0), table)[0]
print(type(both).__name__)
for optimiser in optimisers:
    before = len(tf.get_default_graph().get_operations())
    steps = [optimiser.minimize(loss), optimiser.minimize(first), optimiser.apply_gradients([(clipped[0], table)])]
    print(len(tf.get_default_graph().get_operations()) - before)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in [*steps, *steps]:
            session.run(step)
        print(session.run(table).round(5).tolist())
        print(session.run(norm).round(4), session.run(clipped[0]).values.round(4).tolist())
