import numpy as np
import tensorflow as tf

fed = {}


def given(value, kind=np.float32):
    found = tf.placeholder(kind, None)
    fed[found] = np.asarray(value, kind)
    return found


def attempt(build):
    tf.reset_default_graph()
    fed.clear()
    try:
        result = build()
        with tf.Session() as session:
            print(session.run(result, fed).tolist())
    except tf.errors.InvalidArgumentError as error:
        lines = error.message.splitlines()
        place = next(i for i, line in enumerate(lines) if "[[{{" in line)
        print(lines[place - 1].strip(), lines[place].strip())


def numbers(*values):
    return given(values, np.int32)


def array():
    return tf.TensorArray(tf.float32, 3).unstack([1.0, 2.0, 3.0])


def twice(y, x):
    first = tf.gradients(y, x)[0]
    return tf.gradients(tf.reduce_sum(first * first), x)[0]


def of_array():
    x = tf.constant([1.0, 2.0, 3.0])
    return tf.gradients(tf.TensorArray(tf.float32, 3).unstack(x).gather([0, 2]) ** 3, x)[0]


def of_segments():
    x = tf.constant([1.0, 2.0, 3.0])
    return twice(tf.unsorted_segment_sum(x, numbers(-1, 0, 1), 2) ** 3, x)


def of_part():
    x, n = tf.constant([1.0, 2.0, 3.0]), given(1, np.int32)
    return twice(tf.reduce_sum(x[n:3] ** 3), x)


for index in (1, 5, -1):
    attempt(lambda: array().read(index))
attempt(lambda: array().gather([0, 7]))
attempt(of_array)
attempt(lambda: tf.gather(given(np.zeros((2, 3, 4))), [[0, 1], [1, 2], [0, 0]], batch_dims=1))
attempt(lambda: tf.segment_sum(given([1, 2, 3]), numbers(1, 0, 1)))
attempt(lambda: tf.segment_mean(given([1, 2, 3]), numbers(0, 2, 2)))
attempt(lambda: tf.segment_sum(given([1, 2, 3]), numbers(-1, 0, 1)))
attempt(lambda: tf.segment_sum(given([1, 2, 3]), numbers(0, 1)))
attempt(lambda: tf.unsorted_segment_sum(given([1, 2, 3]), numbers(0, 1), 2))
attempt(of_segments)
attempt(of_part)
