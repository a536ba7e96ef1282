import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
y = tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2.0, lambda: x - 1.0)

with tf.Session() as sess:
    print(sess.run(y, {x: [1.0, 2.0]}))
    print(sess.run(y, {x: [-1.0, -2.0]}))
