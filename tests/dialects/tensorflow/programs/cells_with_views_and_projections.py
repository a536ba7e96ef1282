"""LSTM cells whose gates see the state, that project, whose state is one tensor."""

import numpy as np
import tensorflow as tf

cells = tf.nn.rnn_cell
x = tf.constant(np.arange(12).reshape(2, 3, 2), tf.float32)
start = tf.constant_initializer(0.1)
with tf.variable_scope("seen", initializer=start):
    cell = cells.LSTMCell(3, use_peepholes=True, num_proj=2)
    outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, sequence_length=[2, 3])
with tf.variable_scope("stacked", initializer=start):
    stack = cells.MultiRNNCell([cells.GRUCell(2), cells.BasicRNNCell(3)])
    deep, _ = tf.nn.dynamic_rnn(stack, x, dtype=tf.float32)
with tf.variable_scope("flat", initializer=start):
    flat, flat_state = tf.nn.static_rnn(
        cells.BasicLSTMCell(2, state_is_tuple=False), tf.unstack(x, axis=1), dtype=tf.float32
    )
with tf.variable_scope("clipped", initializer=start):
    clipped = cells.LSTMCell(2, cell_clip=0.2, num_proj=1, proj_clip=0.01, state_is_tuple=False)
    short, short_state = tf.nn.static_rnn(clipped, tf.unstack(x, axis=1), dtype=tf.float32)
print(outputs, deep, flat_state, clipped.state_size, cell.state_size)
used = tf.trainable_variables("seen") + tf.trainable_variables("flat")
gradients = tf.gradients(tf.reduce_sum(outputs) + tf.reduce_sum(flat[-1]), used)
for v in tf.trainable_variables():
    print(v.name, v.shape)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for t in (outputs, state.c, deep, flat[0], flat_state, short[1], short_state, *gradients):
        print(session.run(t).round(4).tolist())
