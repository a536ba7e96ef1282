import tensorflow as tf

x = tf.Variable([3.0, -4.0], name="x")
loss = tf.reduce_sum(x**2)
opt = tf.train.GradientDescentOptimizer(0.1)
gv = opt.compute_gradients(loss, [x])
print(gv)
capped = [(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in gv]
step = opt.apply_gradients(capped)
norm = tf.global_norm([g for g, _ in gv])
cl, n = tf.clip_by_global_norm([g for g, _ in gv], 5.0)
print(norm, n, cl)
print(tf.clip_by_norm(x, 2.0))
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for _ in range(3):
        s.run(step)
        print(s.run([x, loss, norm]))
    print(s.run(cl), s.run(tf.clip_by_norm(x, 1.0)))
print(tf.gradients(loss, x), tf.gradients(loss, tf.constant(1.0)))
y = tf.constant(2.0)
z = y * y * y
(d1,) = tf.gradients(z, y)
(d2,) = tf.gradients(d1, y)
with tf.Session() as s:
    print(s.run([z, d1, d2]))
a = tf.constant([1.0, 2.0])
b = tf.stop_gradient(a * 2.0) * a
with tf.Session() as s:
    print(s.run(tf.gradients(b, a)), s.run(tf.gradients(a * 3.0, a, grad_ys=[tf.constant([10.0, 100.0])])))
print([o.name for o in tf.get_default_graph().get_operations()][-12:])
