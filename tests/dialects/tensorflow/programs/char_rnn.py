# A tiny character model with static_rnn
import numpy as np
import tensorflow as tf

text = 'abcabcabcab'
chars = sorted(set(text))
char_to_ix = {c: i for i, c in enumerate(chars)}
data = [char_to_ix[c] for c in text]
num_steps, hidden = 5, 6
tf.set_random_seed(0)
x = tf.placeholder(tf.int32, [None, num_steps], name='inputs')
y = tf.placeholder(tf.int32, [None, num_steps], name='targets')
x_onehot = tf.one_hot(x, len(chars))
print(x_onehot)
inputs = tf.unstack(x_onehot, axis=1)
print(len(inputs), inputs[0])
cell = tf.nn.rnn_cell.GRUCell(hidden)
outputs, final = tf.nn.static_rnn(cell, inputs, dtype=tf.float32)
print(outputs[-1], final)
with tf.variable_scope('softmax'):
    W = tf.get_variable('W', [hidden, len(chars)])
    b = tf.get_variable('b', [len(chars)], initializer=tf.constant_initializer(0.0))
logits = [tf.matmul(o, W) + b for o in outputs]
print(logits[0].name, logits[1].name)
labels = tf.unstack(y, axis=1)
losses = [tf.nn.sparse_softmax_cross_entropy_with_logits(labels=l, logits=z) for z, l in zip(logits, labels)]
print(losses[0])
total = tf.reduce_mean(losses)
print(total)
train = tf.train.AdagradOptimizer(0.5).minimize(total)
for v in tf.trainable_variables():
    print(v.name, v.shape)
X = np.array([data[i:i + num_steps] for i in range(5)])
Y = np.array([data[i + 1:i + num_steps + 1] for i in range(5)])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(31):
        l, _ = sess.run([total, train], {x: X, y: Y})
        if epoch % 10 == 0:
            print(epoch, '%.3f' % l)
    p = sess.run(tf.argmax(tf.stack(logits, axis=1), 2), {x: X[:1]})
    print(''.join(chars[i] for i in p[0]), p.shape)
    print(sess.run(final, {x: X[:2]}).shape)
