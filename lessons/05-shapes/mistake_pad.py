import tensorflow as tf

x = tf.placeholder(tf.float32, [4, 3], name="x")
W = tf.ones([3, 2], name="W")
h = tf.matmul(x, W, name="h")
size = tf.shape(h)

print(h.shape)

with tf.Session() as sess:
    for rows in (4, 4, 4):
        batch = [[1.0, 2.0, 3.0]] * rows
        print(sess.run(size, {x: batch}))
