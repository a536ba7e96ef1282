# A convolutional network, layer by layer
import numpy as np
import tensorflow as tf

images = np.arange(2 * 8 * 8, dtype=np.float32).reshape(2, 8, 8, 1) / 64 - 1
x = tf.placeholder(tf.float32, [None, 8, 8, 1])


def weight_variable(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1, seed=3))


def bias_variable(shape):
    return tf.Variable(tf.constant(0.1, shape=shape))


def conv2d(x, W):
    return tf.nn.conv2d(x, W, strides=[1, 1, 1, 1], padding='SAME')


def max_pool_2x2(x):
    return tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='SAME')


W1, b1 = weight_variable([3, 3, 1, 4]), bias_variable([4])
h1 = tf.nn.relu(conv2d(x, W1) + b1)
p1 = max_pool_2x2(h1)
print(h1)
print(p1)
W2, b2 = weight_variable([3, 3, 4, 8]), bias_variable([8])
h2 = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(p1, W2, [1, 1, 1, 1], 'VALID'), b2))
print(h2)
avg = tf.nn.avg_pool(h2, [1, 2, 2, 1], [1, 1, 1, 1], 'VALID')
flat = tf.reshape(avg, [-1, 8])
keep = tf.placeholder_with_default(1.0, [], name='keep')
drop = tf.nn.dropout(flat, keep)
W3 = weight_variable([8, 2])
logits = tf.matmul(drop, W3)
print(avg, flat, keep, logits, sep='\n')
labels = tf.constant([0, 1], dtype=tf.int64)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
grads = tf.gradients(loss, [W1, W2, W3])
for g in grads:
    print(g)
small = tf.layers.conv2d(x, 2, 3, padding='same', activation=tf.nn.relu, kernel_initializer=tf.ones_initializer(), name='c1')
pool = tf.layers.max_pooling2d(small, 2, 2)
print(small, pool)
print(sum(int(np.prod(v.shape.as_list())) for v in tf.trainable_variables()))
lrn = tf.nn.lrn(h1, 4, bias=1.0, alpha=0.001 / 9.0, beta=0.75)
try:
    tf.nn.conv2d(x, tf.zeros([3, 3, 2, 4]), [1, 1, 1, 1], 'SAME')
except ValueError as e:
    print('ValueError', str(e)[:75])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(logits, {x: images}).round(5))
    print(sess.run(h1, {x: images})[0, :2, :2].round(5))
    for g in sess.run(grads, {x: images}):
        print(g.shape, '%.5f' % np.abs(g).sum())
    print(sess.run(pool, {x: images})[1, :, :, 0].round(4))
    print(sess.run(lrn, {x: images})[0, 0, 0].round(5))
    print('%.5f' % sess.run(loss, {x: images}))
