import tensorflow as tf

n = tf.placeholder(tf.int32, [], name="n")

def more(k, total):
    return k < n

def body(k, total):
    return k + 1, total + k * k

k, total = tf.while_loop(more, body, [tf.constant(0), tf.constant(0)])

with tf.Session() as sess:
    print(sess.run(total, {n: 3}))
    print(sess.run(total, {n: 5}))
