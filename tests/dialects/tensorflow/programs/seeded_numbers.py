# Seeds of the graph and of single ops.
import tensorflow as tf

tf.set_random_seed(7)
a = tf.random_normal([2, 3], stddev=0.5)
b = tf.random_uniform([4], -2.0, 2.0)
c = tf.truncated_normal([5], mean=1.0)
d = tf.random_uniform([6], maxval=10, dtype=tf.int32)
w = tf.Variable(tf.random_normal([2]))
own = tf.random_normal([2], seed=3)
g = tf.get_variable("g", [3, 2])
drop = tf.nn.dropout(tf.ones([8]), keep_prob=0.5)
for _ in range(2):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(a).round(4))
        print(sess.run(b).round(4), sess.run(b).round(4))
        print(sess.run(c).round(4), sess.run(d))
        print(sess.run(w).round(4), sess.run(own).round(4), sess.run(g).round(4))
        print(sess.run(drop), sess.run(drop))
