# ends: error ValueError
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.reduce_sum(x, axis=1)

with tf.Session() as sess:
    print(sess.run(y, {x: [[1.0, 2.0, 3.0]]}))
