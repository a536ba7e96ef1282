import numpy as np
import tensorflow as tf


def attempt(call):
    try:
        found = call()
        print(found.numpy().tolist() if hasattr(found, "numpy") else found)
    except tf.errors.InvalidArgumentError as error:
        print(str(error).partition("}} ")[2].partition(" [Op:")[0])


def twice(function, x):
    x = tf.constant(x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(function(x) ** 3)
        first = inner.gradient(y, x)
        total = tf.reduce_sum(first * first)
    print(first.numpy().tolist(), outer.gradient(total, x).numpy().tolist())


box = tf.reshape(tf.range(24.0), (2, 3, 4))
pairs = [[0, 1], [1, 2]]
for more in ({"batch_dims": 1}, {"batch_dims": -1}, {"axis": 2, "batch_dims": 1}, {"axis": -1, "batch_dims": 1}):
    attempt(lambda: tf.gather(box, pairs, **more))
attempt(lambda: tf.gather(box, [[0, 1], [1, 2], [0, 0]], batch_dims=1))
attempt(lambda: tf.gather(box, [[0, 1], [1, 9]], batch_dims=1))
attempt(lambda: tf.gather(box, [0, 1], axis=5))
attempt(lambda: tf.gather(tf.zeros((0, 3, 4)), tf.zeros((0, 2), tf.int32), batch_dims=1).shape)
twice(lambda x: tf.gather(x, pairs, batch_dims=1), np.arange(6.0).reshape(2, 3))
twice(lambda x: tf.gather(x, pairs, axis=2, batch_dims=1), np.arange(18.0).reshape(2, 3, 3))

rows = [1.0, 2.0, 3.0]
for places in ([0, 0, 1], [0, 2, 2], [1, 0, 1], [-1, 0, 1], [0, 1], [-2, -1, -1]):
    attempt(lambda: tf.math.segment_sum(rows, places))
    attempt(lambda: tf.math.segment_mean(rows, places))
attempt(lambda: tf.math.unsorted_segment_sum(rows, [1, -1, 1], 3))
attempt(lambda: tf.math.unsorted_segment_sum(rows, [0, 1], 2))
attempt(lambda: tf.math.unsorted_segment_sum([[1.0, 2.0], [3.0, 4.0]], [[1, 0], [1, -1]], 2))
twice(lambda x: tf.math.segment_sum(x, [0, 0, 1]), rows)
twice(lambda x: tf.math.segment_mean(x, [0, 0, 2]), rows)
twice(lambda x: tf.math.unsorted_segment_sum(x, [-1, 0, 1], 2), rows)


@tf.function
def part(x, n):
    return x[n:3]


twice(lambda x: part(x, tf.constant(1)), rows)
