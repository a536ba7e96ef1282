# ends: error InvalidArgumentError
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, None], name="x")
W = tf.constant([[1.0], [2.0], [3.0]], name="W")

h = tf.matmul(x, W)
print("built:", h.shape)

with tf.Session() as sess:
    print(sess.run(h, {x: [[1.0, 2.0, 3.0]]}))
    print(sess.run(h, {x: [[1.0, 2.0]]}))
