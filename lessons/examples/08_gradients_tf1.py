# title: Gradients are nodes of the graph
# group: TensorFlow 1
# note: tf.gradients computes nothing. It adds nodes, and gradients of gradients are more of the same.

import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
y = x * x * x - 2.0 * x

slope = tf.gradients(y, x)[0]
curvature = tf.gradients(slope, x)[0]
print("slope is a handle:", slope)

with tf.Session() as sess:
    for at in [-1.0, 0.0, 2.0]:
        print("x = %4.1f  y, slope, curvature:" % at, *sess.run([y, slope, curvature], {x: at}))
