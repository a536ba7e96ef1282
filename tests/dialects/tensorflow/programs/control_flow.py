# Decisions and loops inside the graph
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
n = tf.placeholder(tf.int32, [], name="n")
w = tf.Variable([[1.0, 2.0], [0.5, -1.0]], name="w")

total = tf.reduce_sum(x)
sign = tf.cond(total > 0, lambda: total * 2.0, lambda: -total)
print(sign)
nested = tf.cond(total > 0, lambda: {"a": (x, total)}, lambda: {"a": (x + 1.0, tf.square(total))})
print(nested["a"][1].name)

i, y = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.tanh(tf.matmul(a, w))), [tf.constant(0), x])
print(i, y)
alone = tf.while_loop(lambda k: k * k < 50, lambda k: k + 3, [tf.constant(1)])
print(alone)
grow = tf.while_loop(lambda k, a: k < 2, lambda k, a: (k + 1, tf.concat([a, a], 0)),
                     [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])])[1]
capped = tf.while_loop(lambda k: k < 100, lambda k: k + 1, [0], maximum_iterations=7)

rows = tf.map_fn(lambda row: tf.reduce_sum(row * row), x)
both = tf.map_fn(lambda row: (row, tf.argmax(row)), x, dtype=(tf.float32, tf.int64))
print(rows, both[1])
sums = tf.scan(lambda a, row: a + row, x)
running = tf.scan(lambda a, row: a * 0.5 + tf.reduce_sum(row), x, initializer=1.0)
product = tf.foldl(lambda a, row: a * row, x)
backwards = tf.foldr(lambda a, row: a - row, x)

dx, dw = tf.gradients(y, [x, w])
dsign = tf.gradients(sign, x)[0]
drun = tf.gradients(running, x)[0]
second = tf.gradients(tf.gradients(tf.cond(total > 0, lambda: total ** 3, lambda: total), x)[0], x)[0]

grade = tf.case([(n > 8, lambda: tf.constant(1.0)), (n > 5, lambda: tf.constant(2.0))], default=lambda: tf.constant(3.0))


def attempt(build):
    try:
        build()
    except Exception as error:
        print(type(error).__name__, "|", str(error).splitlines()[0])


attempt(lambda: tf.cond(True, lambda: 1, lambda: 2))
attempt(lambda: tf.cond(total, lambda: 1, lambda: 2))
attempt(lambda: tf.cond(total > 0, 1, lambda: 2))
attempt(lambda: tf.cond(total > 0, lambda: 1, lambda: 2.0))
attempt(lambda: tf.cond(total > 0, lambda: None, lambda: 2.0))
attempt(lambda: tf.while_loop(lambda a: True, lambda a: tf.concat([a, a], 0), [tf.ones([2])]))
attempt(lambda: tf.while_loop(1, lambda a: a, [1]))
attempt(lambda: tf.map_fn(lambda v: v, 3.0))
attempt(lambda: tf.case([(True, lambda: 1)]))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for data in ([[1.0, 2.0], [3.0, 4.0]], [[-1.0, 0.5], [0.25, -2.0]]):
        feed = {x: data, n: 3}
        print(sess.run([sign, nested["a"][1], i, alone, capped], feed))
        print(sess.run(y, feed).round(4).tolist())
        print(sess.run([rows, both[1], sums, running, product, backwards], feed))
        print(sess.run(grow, feed).shape)
        print([v.round(4).tolist() for v in sess.run([dx, dw, dsign, drun, second], feed)])
    print([sess.run(grade, {n: k}) for k in (9, 7, 1)])
