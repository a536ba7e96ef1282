import tensorflow as tf

n = tf.placeholder(tf.int32, [], name="n")

# Count how often n can be halved (whole numbers) before it is 1.
count, left = tf.constant(0), n
for _ in range(3):
    count, left = count + 1, left // 2

with tf.Session() as sess:
    print(sess.run(count, {n: 8}), sess.run(count, {n: 100}))
