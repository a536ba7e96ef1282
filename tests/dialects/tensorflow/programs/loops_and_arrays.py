import numpy as np
import tensorflow as tf
i = tf.constant(0)
r = tf.while_loop(lambda i: tf.less(i, 10), lambda i: tf.add(i, 1), [i])
print(r)
a, s = tf.while_loop(lambda a, s: a < 5, lambda a, s: (a + 1, s + tf.cast(a, tf.float32)), (tf.constant(0), tf.constant(0.0)))
print(a, s)
x = tf.constant(2.0, name='x')
_, p = tf.while_loop(lambda i, p: i < 3, lambda i, p: [i + 1, p * x], [0, 1.0])
print(p)
grow = tf.while_loop(lambda i, m: i < 3, lambda i, m: [i + 1, tf.concat([m, m], 0)], [tf.constant(0), tf.ones([1, 2])],
                     shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])])
print(grow[1].shape)
elems = np.array([1., 2., 3., 4.], np.float32)
sq = tf.map_fn(lambda v: v * v, elems)
cum = tf.scan(lambda acc, v: acc + v, elems)
fl = tf.foldl(lambda acc, v: acc * 2 + v, elems)
fr = tf.foldr(lambda acc, v: acc * 2 + v, elems)
two = tf.map_fn(lambda v: (v[0] + v[1], v[0] * v[1]), (elems, elems), dtype=(tf.float32, tf.float32))
print(sq.shape, cum.shape)
ta = tf.TensorArray(tf.float32, size=3)
ta = ta.write(0, 1.0).write(1, 2.0).write(2, 3.0)
print(ta.read(1), ta.stack())
def body(i, t):
    return i + 1, t.write(i, tf.cast(i, tf.float32) ** 2)
_, filled = tf.while_loop(lambda i, t: i < 4, body, [tf.constant(0), tf.TensorArray(tf.float32, 4)])
stacked = filled.stack()
un = tf.TensorArray(tf.float32, 3).unstack(tf.constant([5., 6., 7.]))
dyn = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
dyn = dyn.write(0, 4).write(1, 5)
n = tf.placeholder(tf.int32, [])
fib = tf.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, b, a + b), (0, 0, 1))[1]
with tf.Session() as sess:
    print(sess.run(r), sess.run([a, s]), sess.run(p), sess.run(tf.gradients(p, x)))
    print(sess.run(grow[1]).shape, sess.run(sq), sess.run(cum), sess.run(fl), sess.run(fr), sess.run(two))
    print(sess.run(ta.stack()), sess.run(stacked), sess.run(un.read(2)), sess.run(dyn.stack()))
    print([int(sess.run(fib, {n: k})) for k in range(10)])
    print(sess.run(tf.gradients(tf.reduce_sum(tf.map_fn(lambda v: v * v * x, elems)), x)))
    print(sess.run(tf.scan(lambda acc, v: (acc[0] + v, acc[1] * v), elems, initializer=(0.0, 1.0))))
v = tf.Variable(0)
def b2(i):
    with tf.control_dependencies([tf.assign_add(v, 2)]):
        return tf.identity(i + 1)
loop = tf.while_loop(lambda i: i < 3, b2, [tf.constant(0)])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(loop), sess.run(v))
