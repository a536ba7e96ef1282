# States of LSTMs, carried from batch to batch
import numpy as np
import tensorflow as tf

batch, steps, features, units = 2, 3, 2, 4
x = tf.placeholder(tf.float32, [batch, steps, features], name='x')
with tf.variable_scope('rnn_a', initializer=tf.constant_initializer(0.1)):
    cell = tf.nn.rnn_cell.BasicLSTMCell(units)
    state = cell.zero_state(batch, tf.float32)
    print(state)
    outputs, final = tf.nn.dynamic_rnn(cell, x, initial_state=state)
print(outputs)
print(final)
print(type(final).__name__, final._fields)
with tf.variable_scope('rnn_b', initializer=tf.constant_initializer(0.2)):
    stacked = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(n) for n in (3, 2)])
    outs, states = tf.nn.dynamic_rnn(stacked, x, dtype=tf.float32)
print(outs)
for s in states:
    print(s)
last = outputs[:, -1, :]
print(last)
by_hand = tf.zeros([batch, units])
c = tf.zeros([batch, units])
with tf.variable_scope('rnn_a/rnn', reuse=True):
    kernel = tf.get_variable('basic_lstm_cell/kernel')
    bias = tf.get_variable('basic_lstm_cell/bias')
for t in range(steps):
    z = tf.matmul(tf.concat([x[:, t], by_hand], 1), kernel) + bias
    i, j, f, o = tf.split(z, 4, axis=1)
    c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(i) * tf.tanh(j)
    by_hand = tf.sigmoid(o) * tf.tanh(c)
print([v.name for v in tf.trainable_variables()])
data = np.linspace(-1, 1, batch * steps * features).reshape(batch, steps, features)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    o, f = sess.run([outputs, final], {x: data})
    print(o.round(4))
    print(f.c.round(4), f.h.round(4))
    print(np.allclose(sess.run(by_hand, {x: data}), f.h))
    again = sess.run(final, {x: data, state: f})
    print(again.h.round(4))
    parts = sess.run(final, {x: data, state[0]: f.c, state[1]: f.h})
    print(np.allclose(parts.h, again.h))
    print([s.h.shape for s in sess.run(states, {x: data})])
    print(sess.run(last, {x: data}).round(4))
