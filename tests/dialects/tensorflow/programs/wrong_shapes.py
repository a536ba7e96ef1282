# Mistakes that are found while the graph is built, and one that only the run can find.
import tensorflow as tf


def attempt(make):
    try:
        print("made", make())
    except Exception as e:
        print(type(e).__name__, "|", str(e).split("\n")[0])


x = tf.placeholder(tf.float32, [None, 3], name="x")
w = tf.Variable(tf.ones([2, 4]), name="w")
n = tf.constant([1, 2, 3])
attempt(lambda: tf.matmul(x, w))
attempt(lambda: tf.matmul(x, w, transpose_a=True, name="flipped"))
attempt(lambda: x @ tf.ones([2, 2]))
attempt(lambda: x + tf.ones([2]))
attempt(lambda: tf.multiply(x, [1.0, 2.0], name="scaled"))
attempt(lambda: tf.matmul(x, [1.0, 2.0, 3.0]))
attempt(lambda: x + n)
attempt(lambda: tf.matmul(n, n))
attempt(lambda: tf.matmul(x, n))
attempt(lambda: n * 1.5)
attempt(lambda: w.assign([1.0, 2.0]))
attempt(lambda: tf.assign(w, tf.ones([4, 2])))
attempt(lambda: tf.concat([x, tf.ones([1, 2])], 0))
attempt(lambda: tf.reshape(tf.ones([2, 3]), [4]))
attempt(lambda: tf.reduce_sum(x, 2))
attempt(lambda: tf.constant([1.0, 2.0, 3.0], shape=[2]))
attempt(lambda: tf.constant("text", dtype=tf.float32))
attempt(lambda: tf.nn.softmax_cross_entropy_with_logits(labels=tf.ones([2, 3]), logits=x))
y = tf.placeholder(tf.float32, [None, None], name="y")
both = tf.add(x, y, name="both")
with tf.Session() as sess:
    print(sess.run(both, {x: [[1.0, 2.0, 3.0]], y: [[1.0], [2.0]]}))
    try:
        sess.run(both, {x: [[1.0, 2.0, 3.0]], y: [[1.0, 2.0]]})
    except tf.errors.InvalidArgumentError as e:
        print([line.strip() for line in e.message.split("\n") if "Incompatible" in line])
    try:
        sess.run(both, {x: [[1.0, 2.0, 3.0]]})
    except tf.errors.InvalidArgumentError as e:
        print([line.strip() for line in e.message.split("\n") if "must feed" in line])
    try:
        sess.run(w * 2.0)
    except tf.errors.FailedPreconditionError as e:
        print([line.strip() for line in e.message.split("\n") if "uninitialized" in line])
