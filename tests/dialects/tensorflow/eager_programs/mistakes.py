import tensorflow as tf

a, b = tf.ones([4, 3]), tf.ones([4, 2])
v = tf.Variable([1.0, 2.0])


def attempt(action):
    try:
        print("gives", action())
    except Exception as e:
        print(type(e).__module__, type(e).__name__, "|", e)


def twice():
    with tf.GradientTape() as tape:
        y = v * v
    tape.gradient(y, v)
    return tape.gradient(y, v)


attempt(lambda: tf.matmul(a, b))
attempt(lambda: tf.matmul(tf.ones([3]), a))
attempt(lambda: a + b)
attempt(lambda: tf.reshape(a, [5]))
attempt(lambda: tf.reshape(a, [-1, 5]))
attempt(lambda: a[0, 7])
attempt(lambda: tf.constant(1) + 1.5)
attempt(lambda: tf.constant(1) + tf.constant(1, dtype=tf.int64))
attempt(lambda: tf.concat([a, b], 0))
attempt(lambda: tf.stack([a, b]))
attempt(lambda: tf.squeeze(a, 0))
attempt(lambda: tf.transpose(a, [0, 0]))
attempt(lambda: tf.reduce_sum(a, 5))
attempt(lambda: tf.gather([1.0, 2.0], [5]))
attempt(lambda: tf.sqrt(tf.constant(4)))
attempt(lambda: tf.constant([1, 2, 3], shape=[2, 2]))
attempt(lambda: tf.constant([1.5], dtype=tf.int32))
attempt(lambda: v.assign([1.0, 2.0, 3.0]))
attempt(lambda: v.assign_add([1.0, 1.0, 1.0]))
attempt(lambda: bool(a))
attempt(lambda: int(a))
attempt(lambda: len(tf.constant(1)))
attempt(lambda: a.assign(a))
attempt(lambda: hash(a))
attempt(twice)
attempt(lambda: tf.GradientTape().watch(3.0))
attempt(lambda: a == b)
attempt(lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1], logits=a))
