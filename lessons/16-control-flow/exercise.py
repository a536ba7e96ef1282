import tensorflow as tf

n = tf.placeholder(tf.int32, [], name="n")

# Count how often n can be halved (whole numbers) before it is 1.
count = tf.constant(0)

with tf.Session() as sess:
    print(sess.run(count, {n: 8}), sess.run(count, {n: 100}))
