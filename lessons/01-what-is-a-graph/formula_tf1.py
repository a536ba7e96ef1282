import tensorflow as tf

a = tf.placeholder(tf.float32, name="a")
b = tf.placeholder(tf.float32, name="b")

s = tf.add(a, b, name="s")
t = tf.add(b, 1.0, name="t")
y = tf.multiply(s, t, name="y")

with tf.Session() as sess:
    print(sess.run(y, {a: 2.0, b: 3.0}))
