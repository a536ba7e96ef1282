import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 64], name="x")
W = tf.Variable(tf.random_normal([64, 64], seed=1), name="W")
h = tf.nn.relu(tf.matmul(x, W), name="h")
loss = tf.reduce_mean(tf.square(h), name="loss")

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        print(step, sess.run(loss, {x: np.ones([32, 64], np.float32)}) > 0)
