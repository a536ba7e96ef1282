import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
double = x * 2.0
less = x - 1.0
y = tf.cond(tf.reduce_sum(x) > 0, lambda: double, lambda: less)

with tf.Session() as sess:
    print(sess.run(y, {x: [1.0, 2.0]}))
