import tensorflow as tf

n = tf.placeholder(tf.int32, [], name="n")

total = tf.constant(0)
for k in range(3):
    total = total + k * k

with tf.Session() as sess:
    print(sess.run(total, {n: 3}))
    print(sess.run(total, {n: 5}))
