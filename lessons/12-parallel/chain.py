import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
s = x
for n in range(6):
    s = s + 1.0

with tf.Session() as sess:
    print(sess.run(s, {x: 0.0}))
