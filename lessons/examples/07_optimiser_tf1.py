# title: What the optimiser takes out
# group: TensorFlow 1
# note: half is known before the run, pred - y is asked for twice, and nobody fetches peak.

import tensorflow as tf

X = [[[1.0, 2.0]], [[3.0, 1.0]], [[0.5, 0.5]]]
Y = [[[0.4]], [[1.5]], [[0.5]]]

x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
W = tf.Variable([[0.6], [-0.4]])

half = tf.constant(1.0) / 2.0
pred = tf.nn.relu(tf.matmul(x, W) + half)

loss = tf.reduce_mean(tf.square(pred - y))
mae = tf.reduce_mean(tf.abs(pred - y))
peak = tf.reduce_max(pred)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for k in range(3):
        r = sess.run([loss, mae], {x: X[k], y: Y[k]})
        print(k, *r)
