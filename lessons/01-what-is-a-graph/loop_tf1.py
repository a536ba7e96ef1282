import tensorflow as tf

n = tf.placeholder(tf.float32, name="n")

def more(s):
    return s < n

def double(s):
    return s * 2.0

s = tf.while_loop(more, double, [tf.constant(1.0)])

with tf.Session() as sess:
    print(sess.run(s, {n: 10.0}))
    print(sess.run(s, {n: 100.0}))
