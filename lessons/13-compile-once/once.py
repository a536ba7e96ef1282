import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
y = tf.square(x) + 3.0 * x

with tf.Session() as sess:
    print(sess.run(y, {x: 2.0}))
