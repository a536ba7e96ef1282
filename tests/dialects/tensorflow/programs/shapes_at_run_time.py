import numpy as np
import tensorflow as tf

fed = {}


def given(value, kind=np.float32):
    found = tf.placeholder(kind, None)
    fed[found] = np.asarray(value, kind)
    return found


def attempt(build):
    for times in (1, 2):
        tf.reset_default_graph()
        fed.clear()
        result = build()
        with tf.Session() as session:
            for _ in range(times):
                try:
                    print(session.run(result, fed).tolist())
                except tf.errors.InvalidArgumentError as error:
                    lines = error.message.splitlines()
                    place = next(i for i, line in enumerate(lines) if "[[{{" in line)
                    print(lines[place - 1].strip() or lines[place - 2].strip(), lines[place].strip())


def row():
    return given([[1, 2]])


attempt(lambda: tf.concat([row(), given([1])], 0))
attempt(lambda: tf.concat([row(), given([[1, 2, 3]])], 0))
attempt(lambda: tf.stack([row(), given([1])], 0))
attempt(lambda: tf.stack([row(), given([[2, 1]])], 0))
attempt(lambda: tf.transpose(row(), [0]))
attempt(lambda: tf.tile(row(), [2]))
attempt(lambda: tf.pad(row(), [[1, 1]]))
attempt(lambda: tf.argmax(row(), 5))
attempt(lambda: tf.broadcast_to(row(), [3, 3]))
attempt(lambda: tf.where(given([True, False, True], bool), given([1, 2]), given([1, 2])))
attempt(lambda: tf.squeeze(row(), [1]))
attempt(lambda: tf.squeeze(row(), [-1]))
attempt(lambda: tf.reshape(row(), [3]))
attempt(lambda: tf.reshape(row(), [3, -1]))
attempt(lambda: tf.reduce_sum(row(), 3))
attempt(lambda: tf.matmul(row(), given([1, 2])))
attempt(lambda: tf.nn.bias_add(row(), given([1, 2, 3])))


def loss(labels):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=given(labels, np.int32), logits=given(np.ones((3, 2))))


attempt(lambda: loss([0, 5, -1]))
attempt(lambda: loss([0, 5, 1]))
attempt(lambda: loss([-1, 1, -3]))
