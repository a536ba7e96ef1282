import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
h = x * 3.0
print("h is", h)
y = tf.reduce_sum(h)

with tf.Session() as sess:
    print("y is", sess.run(y, {x: [1.0, 2.0]}))
    print("y and h are", sess.run([y, h], {x: [1.0, 2.0]}))
