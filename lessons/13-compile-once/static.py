import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 8], name="x")
W1 = tf.Variable(tf.fill([8, 16], 0.1), name="W1")
W2 = tf.Variable(tf.fill([16, 1], 0.1), name="W2")

h = tf.tanh(tf.matmul(x, W1))
y = tf.matmul(h, W2)
loss = tf.reduce_mean(tf.square(y - 1.0), name="loss")
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

batch = np.ones([4, 8], np.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(30):
        value, _ = sess.run([loss, train], {x: batch})
print("%.4f" % value)
