import numpy as np
import tensorflow as tf
x = tf.constant([[1., 2.], [3., 4.]])
w = tf.get_variable('w', initializer=[[1.0], [-1.0]])
b = tf.get_variable('b', initializer=[0.5])
unused = tf.get_variable('unused', initializer=1.0)
y = tf.matmul(x, w) + b
loss = tf.reduce_sum(tf.square(y)) + 0.1 * tf.nn.l2_loss(w)
global_step = tf.train.get_or_create_global_step()
opt = tf.train.GradientDescentOptimizer(tf.train.exponential_decay(0.1, global_step, 2, 0.5, staircase=True))
gv = opt.compute_gradients(loss)
print([(g is None, v.name) for g, v in gv])
capped = [(tf.clip_by_value(g, -1., 1.), v) for g, v in gv if g is not None]
grads, norm = tf.clip_by_global_norm([g for g, v in gv if g is not None], 2.0)
one = tf.clip_by_norm(gv[0][0], 1.5)
train = opt.apply_gradients(capped, global_step=global_step)
print(train.name, train.type, global_step)
print(tf.global_norm([x]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([g for g in grads]), sess.run(norm), sess.run(one))
    for _ in range(4):
        sess.run(train)
        print(tf.train.global_step(sess, global_step), sess.run(loss).round(4), sess.run(w).ravel().round(4))
step = tf.placeholder(tf.int64, [])
rates = [tf.train.polynomial_decay(0.1, step, 10, 0.01), tf.train.piecewise_constant(step, [3, 6], [1.0, 0.5, 0.1]),
         tf.train.inverse_time_decay(0.1, step, 1, 0.5), tf.train.natural_exp_decay(0.1, step, 1, 0.5), tf.train.exponential_decay(0.1, step, 5, 0.9), tf.train.cosine_decay(0.1, step, 10)]
with tf.Session() as sess:
    for s in (0, 4, 9):
        print(['%.5f' % r for r in sess.run(rates, {step: s})])
