# ends: error InvalidArgumentError
import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
y = x * 2.0

with tf.Session() as sess:
    print(sess.run(y))
