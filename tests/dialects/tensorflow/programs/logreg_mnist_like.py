# Softmax regression on the digits
import numpy as np
import tensorflow as tf

tf.set_random_seed(1)
rng = np.random.RandomState(0)
centers = rng.randn(3, 4).astype(np.float32) * 2
labels = np.arange(90) % 3
data = centers[labels] + rng.randn(90, 4).astype(np.float32)
onehot = np.eye(3, dtype=np.float32)[labels]

x = tf.placeholder(tf.float32, [None, 4], name='x-input')
y_ = tf.placeholder(tf.float32, [None, 3], name='y-input')
with tf.name_scope('weights'):
    W = tf.Variable(tf.random_normal([4, 3], stddev=0.1))
with tf.name_scope('biases'):
    b = tf.Variable(tf.zeros([3]))
with tf.name_scope('softmax'):
    logits = tf.matmul(x, W) + b
    y = tf.nn.softmax(logits)
print(W.name, b.name, logits.name, y)
with tf.name_scope('loss'):
    cross = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y_, logits=logits))
    by_hand = tf.reduce_mean(-tf.reduce_sum(y_ * tf.log(y), reduction_indices=[1]))
print(cross.name, by_hand.name)
train = tf.train.GradientDescentOptimizer(0.5).minimize(cross)
with tf.name_scope('accuracy'):
    correct = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
    acc = tf.reduce_mean(tf.cast(correct, tf.float32))
print(correct, acc)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(W))
    for epoch in range(3):
        perm = rng.permutation(90)
        for k in range(0, 90, 30):
            ids = perm[k:k + 30]
            _, c = sess.run([train, cross], {x: data[ids], y_: onehot[ids]})
        print('epoch', epoch, 'loss %.5f' % c, 'accuracy', acc.eval({x: data, y_: onehot}))
    print('%.5f %.5f' % tuple(sess.run([cross, by_hand], {x: data, y_: onehot})))
    print(sess.run(W).round(4))
    print(sess.run(tf.argmax(y, 1), {x: data[:10]}), labels[:10])
    print(sess.run(tf.confusion_matrix(labels, tf.argmax(y, 1)), {x: data}))
