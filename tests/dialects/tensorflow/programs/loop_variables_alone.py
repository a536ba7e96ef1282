import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

n = tf.placeholder(tf.int32, [], name="n")
found = tf.while_loop(
    lambda count, left, twice: left > 1,
    lambda count, left, twice: (count + 1, left // 2, twice * 2),
    [tf.constant(0), n, tf.constant(3)],
)

with tf.Session() as sess:
    for wanted in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]):
        for start in (8, 1):
            print(wanted, start, [int(value) for value in sess.run([found[place] for place in wanted], {n: start})])
