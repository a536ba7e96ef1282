"""Gradients of tables of which rows are looked up."""

import numpy as np
import tensorflow as tf

for name in ["SGD", "Adam", "RMSprop", "Adagrad", "Adamax", "Nadam", "AdamW", "Adadelta"]:
    table = tf.Variable(np.arange(8, dtype="float32").reshape(4, 2) / 10)
    optimizer = getattr(tf.keras.optimizers, name)(learning_rate=0.1)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, [1, 1, 3]) ** 2)
        gradient = tape.gradient(loss, table)
        optimizer.apply_gradients([(gradient, table)])
    print(name, type(gradient).__name__, table.numpy().round(4).tolist())

table = tf.Variable(np.arange(8, dtype="float32").reshape(4, 2) / 10)
optimizer = tf.keras.optimizers.Adam(0.1)


@tf.function
def step(rows):
    print("traced")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(table, rows) ** 2) + tf.reduce_sum(tf.nn.embedding_lookup(table, [0]))
    gradient = tape.gradient(loss, table)
    optimizer.apply_gradients([(gradient, table)])
    return tf.convert_to_tensor(gradient), tf.sort(gradient.indices)


for _ in range(2):
    whole, rows = step(tf.constant([1, 1, 3]))
    print(whole.numpy().round(4).tolist(), rows.numpy(), table.numpy().round(4).tolist())
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(table, [1, 2]) ** 2) + tf.reduce_sum(table)
print(type(tape.gradient(loss, table)).__name__)
x = tf.Variable(tf.ones([3, 2]))
with tf.GradientTape() as tape:
    rows = tf.gather(x, [0, 0])
print(tape.gradient(rows, x))
x.scatter_update(tf.IndexedSlices(tf.constant([[9.0, 9.0]]), [1]))
x.scatter_add(tf.IndexedSlices(tf.constant([[1.0, 1.0], [2.0, 2.0]]), [0, 0]))
x.scatter_nd_sub([[2, 1]], [5.0])
print(x.numpy().tolist())
b = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    tape.watch(b)
    y = b**2
print(tape.batch_jacobian(y, b).numpy().tolist())
