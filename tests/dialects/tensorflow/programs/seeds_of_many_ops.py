import tensorflow as tf

tf.set_random_seed(42)
a = tf.random_uniform([2])
b = tf.random_normal([2], seed=7)
c = tf.truncated_normal([3])
d = tf.random_uniform([3], 0, 10, tf.int32)
e = tf.random_shuffle([1, 2, 3, 4, 5], seed=3)
f = tf.nn.dropout(tf.ones([6]), 0.5)
g = tf.multinomial(tf.log([[0.3, 0.7]]), 5)
h = tf.random_gamma([2], 1.0) if False else tf.constant(0)
with tf.Session() as s:
    for t in (a, b, c, d, e, f, g):
        print(s.run(t))
    print(s.run(a), s.run([a, b]))
with tf.Session() as s:
    print(s.run(a), s.run(d))
    print(s.run(tf.random_uniform([1])))
w = tf.get_variable("w", [2, 2])
w2 = tf.get_variable("w2", [2, 2], initializer=tf.random_normal_initializer(seed=1))
w3 = tf.get_variable("w3", [3], initializer=tf.variance_scaling_initializer())
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print(s.run(w), s.run(w2), s.run(w3))
