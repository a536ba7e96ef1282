import tensorflow as tf

n = tf.placeholder(tf.int32, [], name="n")

# Count how often n can be halved (whole numbers) before it is 1.
count, _ = tf.while_loop(lambda count, left: left > 1,
                         lambda count, left: (count + 1, left // 2), [tf.constant(0), n])

with tf.Session() as sess:
    print(sess.run(count, {n: 8}), sess.run(count, {n: 100}))
