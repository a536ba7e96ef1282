import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [256, 256])
W = tf.Variable(tf.fill([256, 256], 0.1))
loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, W)) - 1.0))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
batch = np.ones([256, 256], np.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(12):
        sess.run(train, {x: batch})
print("done")
