# Dropout and batch normalization: training is not testing
import numpy as np
import tensorflow as tf

tf.set_random_seed(5)
x = tf.placeholder(tf.float32, [None, 3], name='x')
training = tf.placeholder_with_default(False, [], name='training')
h = tf.layers.batch_normalization(x, training=training, momentum=0.5, name='bn')
d = tf.layers.dropout(h, rate=0.5, training=training, seed=2)
out = tf.layers.dense(d, 1, kernel_initializer=tf.ones_initializer(), name='out')
print(h, d, out, training, sep='\n')
print([v.name for v in tf.trainable_variables()])
print([v.name for v in tf.global_variables() if v not in tf.trainable_variables()])
updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
print(len(updates))
loss = tf.reduce_mean(tf.square(out - 1.0))
with tf.control_dependencies(updates):
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
data = np.array([[1, 2, 3], [3, 2, 1], [5, 8, 2]], dtype=np.float32)
mean_var = [v for v in tf.global_variables() if 'moving' in v.name]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(out, {x: data}).round(3))
    print(sess.run(h, {x: data, training: True}).round(3))
    print(sess.run(mean_var[0]))
    for _ in range(3):
        sess.run(train, {x: data, training: True})
    for v in mean_var:
        print(v.name, sess.run(v).round(4))
    print(sess.run(h, {x: data}).round(3))
    kept = sess.run(tf.nn.dropout(tf.ones([10]), keep_prob=0.8, seed=3))
    print(kept, kept.sum())
    print(sess.run(tf.nn.dropout(tf.ones([4]), rate=0.5, seed=1)))
m, v = tf.nn.moments(x, axes=[0])
print(m, v)
with tf.Session() as sess:
    print(sess.run([m, v], {x: data}))
try:
    tf.nn.dropout(x, keep_prob=2.0)
except ValueError as e:
    print(str(e)[:70])
