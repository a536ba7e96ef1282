# title: Linear regression
# group: TensorFlow 1
# note: The graph is built once, without a value in it; then a session runs it, again and again.

import numpy as np
import tensorflow as tf

xs = np.array([[1.0], [2.0], [3.0], [4.0]], dtype=np.float32)
ys = np.array([[3.1], [4.9], [7.2], [8.8]], dtype=np.float32)

x = tf.placeholder(tf.float32, [None, 1], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
weight = tf.Variable(tf.zeros([1, 1]), name="weight")
bias = tf.Variable(tf.zeros([1]), name="bias")

prediction = tf.matmul(x, weight) + bias
loss = tf.reduce_mean(tf.square(prediction - y), name="loss")
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(4):
        _, value = sess.run([train, loss], feed_dict={x: xs, y: ys})
        print("step %d  loss %.4f" % (step, value))
    print("weight and bias:", sess.run([weight, bias]))
