import tensorflow as tf

numbers = [tf.placeholder(tf.float32, [], name="n%d" % n) for n in range(8)]

left = numbers[0]
for number in numbers[1:4]:
    left = left + number
right = numbers[4]
for number in numbers[5:]:
    right = right + number
total = left + right

with tf.Session() as sess:
    print(sess.run(total, {n: 1.0 + i for i, n in enumerate(numbers)}))
