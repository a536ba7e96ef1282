import tensorflow as tf

tf.set_random_seed(1)

a = tf.random_uniform([], name="a")
b = tf.random_uniform([], name="b")
c = tf.constant(2.0) * 3.0
d = tf.constant(2.0) * 3.0

with tf.Session() as sess:
    print(sess.run([a, b, c, d]))
