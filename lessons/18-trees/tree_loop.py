import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
table = tf.constant(rng.randn(4, 2).astype(np.float32))
W = tf.constant(rng.randn(2, 4).astype(np.float32))

word = tf.placeholder(tf.int32, [None], name="word")
left = tf.placeholder(tf.int32, [None], name="left")
right = tf.placeholder(tf.int32, [None], name="right")
count = tf.size(word)

def more(k, done):
    return k < count

def body(k, done):
    leaf = lambda: tf.gather(table, word[k])
    pair = lambda: tf.tanh(tf.squeeze(tf.matmul(W, tf.reshape(tf.concat([done[left[k]], done[right[k]]], 0), [4, 1])), 1))
    value = tf.cond(word[k] >= 0, leaf, pair)
    return k + 1, tf.concat([done, tf.reshape(value, [1, 2])], 0)

_, done = tf.while_loop(more, body, [tf.constant(0), tf.zeros([0, 2])],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])])
score = tf.reduce_sum(done[count - 1])

with tf.Session() as sess:
    print("%.3f" % sess.run(score, {word: [0, 1, -1, 2, -1], left: [0, 0, 0, 0, 2], right: [0, 0, 1, 0, 3]}))
    print("%.3f" % sess.run(score, {word: [1, 2, 3, -1, -1], left: [0, 0, 0, 1, 0], right: [0, 0, 0, 2, 3]}))
