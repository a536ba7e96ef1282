import numpy as np
import tensorflow as tf

X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 0.0], [0.0, 1.0]], dtype=np.float32)
Y = np.array([[1.0], [2.0], [3.0], [0.0]], dtype=np.float32)

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
W = tf.Variable([[0.5], [0.5]], name="W")
b = tf.Variable([0.0], name="b")

pred = tf.matmul(x, W) + b
error = tf.reduce_mean(tf.square(pred - y))
loss = tf.cond(error > 1.0, lambda: error, lambda: tf.sqrt(error))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(8):
        _, value, seen = sess.run([train, loss, error], {x: X, y: Y})
        print(step, "%.4f" % value, "error %.4f" % seen)
