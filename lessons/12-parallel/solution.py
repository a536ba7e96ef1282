import tensorflow as tf

numbers = [tf.placeholder(tf.float32, [], name="n%d" % n) for n in range(8)]

parts = numbers
while len(parts) > 1:
    parts = [a + b for a, b in zip(parts[::2], parts[1::2])]
total = parts[0]

with tf.Session() as sess:
    print(sess.run(total, {n: 1.0 + i for i, n in enumerate(numbers)}))
