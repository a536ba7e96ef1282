import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
W = tf.Variable([[0.5], [-1.0]], name="W")

h = tf.matmul(x, W, name="h")
y = tf.sigmoid(h, name="y")
size = tf.reduce_sum(tf.square(W), name="size")

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: [[1.0, 2.0]]}))
    print(sess.run(y, {x: [[4.0, 1.0], [0.0, 0.0]]}))
    print(sess.run(size))
