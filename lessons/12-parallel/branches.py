import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 2], name="x")

a1 = tf.matmul(x, x, name="a1")
a2 = tf.matmul(a1, x, name="a2")
b1 = tf.exp(x, name="b1")
c1 = tf.sin(x, name="c1")
c2 = tf.abs(c1, name="c2")
y = tf.add_n([a2, b1, c2], name="y")

with tf.Session() as sess:
    print(sess.run(y, {x: [[1.0, 0.0], [0.0, 1.0]]}))
