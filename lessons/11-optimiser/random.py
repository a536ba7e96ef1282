import tensorflow as tf

a = tf.random_uniform([], seed=1, name="a")
b = tf.random_uniform([], seed=1, name="b")
c = tf.constant(2.0) * 3.0
d = tf.constant(2.0) * 3.0

with tf.Session() as sess:
    print(sess.run([a, b, c, d]))
