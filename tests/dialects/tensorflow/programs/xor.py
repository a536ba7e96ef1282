# XOR with a hidden layer
import numpy as np
import tensorflow as tf
tf.set_random_seed(1)
X = np.array([[0,0],[0,1],[1,0],[1,1]], np.float32); Y = np.array([[0],[1],[1],[0]], np.float32)
x = tf.placeholder(tf.float32, [None, 2]); y = tf.placeholder(tf.float32, [None, 1])
w1 = tf.Variable(tf.random_uniform([2, 8], -1, 1, seed=0), name='w1'); b1 = tf.Variable(tf.zeros([8]), name='b1')
w2 = tf.Variable(tf.random_normal([8, 1]), name='w2'); b2 = tf.Variable(tf.zeros([1]), name='b2')
h = tf.nn.sigmoid(tf.matmul(x, w1) + b1)
o = tf.nn.sigmoid(tf.matmul(h, w2) + b2)
logit = tf.matmul(h, w2) + b2
cost = -tf.reduce_mean(y * tf.log(o) + (1 - y) * tf.log(1 - o))
ce = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logit))
train = tf.train.AdamOptimizer(0.1).minimize(ce)
pred = tf.cast(o > 0.5, dtype=tf.float32)
acc = tf.reduce_mean(tf.cast(tf.equal(pred, y), dtype=tf.float32))
print(cost, train, pred, acc)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(201):
        sess.run(train, feed_dict={x: X, y: Y})
        if step % 50 == 0:
            print(step, '%.4f' % sess.run(cost, feed_dict={x: X, y: Y}), sess.run(w2)[:2].round(3).tolist())
    p, a = sess.run([pred, acc], feed_dict={x: X, y: Y})
    print(p, a)
    print(acc.eval({x: X, y: Y}))
