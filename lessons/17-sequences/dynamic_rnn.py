import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, None, 1], name="x")
lengths = tf.placeholder(tf.int32, [None], name="lengths")

cell = tf.nn.rnn_cell.BasicRNNCell(3)
outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)

batch = np.array([[[1], [1], [1], [1], [1]], [[1], [0], [0], [0], [0]]], np.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    values = sess.run(outputs, {x: batch, lengths: [5, 1]})
    print("zero outputs in the second row:", (np.abs(values[1]).sum(axis=1) == 0).sum())
    print("steps:", sess.run(outputs, {x: batch[:, :2], lengths: [2, 1]}).shape[1])
