import numpy as np
import tensorflow as tf

X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 0.0], [0.0, 1.0]], dtype=np.float32)
Y = np.array([[1.0], [2.0], [3.0], [0.0]], dtype=np.float32)

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
W = tf.Variable([[0.5], [0.5]], name="W")
b = tf.Variable([0.0], name="b")

pred = tf.matmul(x, W) + b
loss = tf.reduce_mean(tf.square(pred - y), name="loss")
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(8):
        _, value = sess.run([train, loss], {x: X, y: Y})
        print(step, "%.4f" % value)
