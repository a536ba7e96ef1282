import numpy as np
import tensorflow as tf
tf.set_random_seed(5)
emb = tf.get_variable('emb', [5, 3])
ids = tf.placeholder(tf.int32, [2, 4], name='ids')
inp = tf.nn.embedding_lookup(emb, ids)
cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(4, num_proj=None, use_peepholes=False), output_keep_prob=1.0)
out, st = tf.nn.dynamic_rnn(cell, inp, sequence_length=[4, 2], dtype=tf.float32, time_major=False)
cells = [tf.nn.rnn_cell.GRUCell(3, activation=tf.nn.relu) for _ in range(2)]
m = tf.nn.rnn_cell.MultiRNNCell(cells)
o2, s2 = tf.nn.dynamic_rnn(m, inp, dtype=tf.float32, scope='gru')
steps = tf.unstack(inp, axis=1)
so, ss = tf.nn.static_rnn(tf.nn.rnn_cell.BasicLSTMCell(2), steps, dtype=tf.float32, scope='st')
bo, bs = tf.nn.bidirectional_dynamic_rnn(tf.nn.rnn_cell.LSTMCell(2), tf.nn.rnn_cell.LSTMCell(2), inp, dtype=tf.float32)
logits = tf.layers.dense(out, 5)
xent = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=logits)
mask = tf.sequence_mask([4, 2], 4, dtype=tf.float32)
loss = tf.reduce_sum(xent * mask) / tf.reduce_sum(mask)
train = tf.train.AdamOptimizer(0.1).minimize(loss)
for v in tf.trainable_variables(): print(v.name, v.shape)
cell1 = tf.nn.rnn_cell.BasicRNNCell(3)
h = cell1.zero_state(2, tf.float32)
with tf.variable_scope('manual'):
    for t in range(3):
        o, h = cell1(inp[:, t], h)
        print(o.name)
feed = {ids: [[1, 2, 3, 4], [0, 1, 0, 0]]}
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print(s.run(emb).round(4)); print(s.run(out, feed).round(4)); print(s.run(st, feed).h.round(4)); print(s.run(o2, feed)[0].round(4)); print(s.run(ss, feed).c.round(4), s.run(bo, feed)[1][0].round(4)); print(s.run(h, feed).round(4))
    for _ in range(3): print('%.4f' % s.run([loss, train], feed)[0])
    print(s.run(mask), s.run(tf.reverse_sequence(ids, [4, 2], 1), feed), s.run(tf.sequence_mask([1, 3])))
