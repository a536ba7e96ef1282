# title: A shape mismatch, found while building
# group: TensorFlow 1
# note: No value exists yet. The graph itself refuses the node, long before a session could run it.

import tensorflow as tf

images = tf.placeholder(tf.float32, [None, 6], name="images")
first = tf.Variable(tf.fill([6, 3], 0.5), name="first")
second = tf.Variable(tf.fill([4, 2], 0.1), name="second")

hidden = tf.nn.relu(tf.matmul(images, first))
print("hidden is", hidden.shape)

scores = tf.matmul(hidden, second)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(scores, {images: [[1.0] * 6]}))
