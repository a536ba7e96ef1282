# title: The same small model
# group: TensorFlow 1
# note: First the whole graph, then values: a session runs it six times. PyTorch has the same model.

import tensorflow as tf

X = tf.placeholder(tf.float32, [None, 2], name="X")
W1 = tf.Variable([[0.6, -0.4, 0.2], [0.3, 0.5, -0.7]], name="W1")
b1 = tf.Variable([0.1, 0.0, 0.2], name="b1")
h = tf.nn.relu(tf.matmul(X, W1) + b1)
loss = tf.reduce_mean(h, name="loss")

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for call in range(6):
        value = sess.run(loss, {X: [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]]})
print(value)
