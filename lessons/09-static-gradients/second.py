import tensorflow as tf

x = tf.placeholder(tf.float32, name="x")
y = x * x * x

d1 = tf.gradients(y, x)[0]
d2 = tf.gradients(d1, x)[0]

with tf.Session() as sess:
    print(sess.run([y, d1, d2], {x: 4.0}))
