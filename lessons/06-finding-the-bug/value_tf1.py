import tensorflow as tf

x = tf.placeholder(tf.float32, [None], name="x")

r = tf.sqrt(x, name="r")
s = r * 2.0
total = tf.reduce_sum(s, name="total")

with tf.Session() as sess:
    print(sess.run(total, {x: [4.0, 1.0, -1.0, 9.0]}))
