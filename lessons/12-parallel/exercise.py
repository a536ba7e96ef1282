import tensorflow as tf

numbers = [tf.placeholder(tf.float32, [], name="n%d" % n) for n in range(8)]

# Every + has to wait for the one before.
total = numbers[0]
for number in numbers[1:]:
    total = total + number

with tf.Session() as sess:
    print(sess.run(total, {n: 1.0 + i for i, n in enumerate(numbers)}))
