# ends: error ValueError
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
W1 = tf.ones([2, 3], name="W1")
W2 = tf.ones([2, 1], name="W2")

h = tf.nn.relu(tf.matmul(x, W1))
y = tf.matmul(h, W2, name="y")

with tf.Session() as sess:
    print("batch of", 4)
    print(sess.run(y, {x: [[1.0, 1.0]] * 4}))
