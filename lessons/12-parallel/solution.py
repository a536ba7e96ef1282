import tensorflow as tf

numbers = [tf.placeholder(tf.float32, [], name="n%d" % n) for n in range(8)]

def add_up(parts):
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return add_up(parts[:half]) + add_up(parts[half:])

total = add_up(numbers)

with tf.Session() as sess:
    print(sess.run(total, {n: 1.0 + i for i, n in enumerate(numbers)}))
