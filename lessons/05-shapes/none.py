import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
W = tf.constant([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]], name="W")
h = tf.matmul(x, W, name="h")
rows = tf.shape(h)[0]
mean = tf.reduce_sum(h, axis=0) / tf.cast(rows, tf.float32)

print("known before the run:", h.shape)

with tf.Session() as sess:
    print(sess.run(rows, {x: [[1.0, 2.0]]}))
    print(sess.run(rows, {x: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]}))
    print(sess.run(mean, {x: [[1.0, 2.0], [3.0, 4.0]]}))
