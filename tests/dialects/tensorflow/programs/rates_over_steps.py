import tensorflow as tf

step = tf.train.get_or_create_global_step()
rates = {
    "exp": tf.train.exponential_decay(0.1, step, 10, 0.5),
    "stair": tf.train.exponential_decay(0.1, step, 10, 0.5, staircase=True),
    "inv": tf.train.inverse_time_decay(0.1, step, 10, 0.5),
    "nat": tf.train.natural_exp_decay(0.1, step, 10, 0.5),
    "poly": tf.train.polynomial_decay(0.1, step, 20, 0.01),
    "cos": tf.train.cosine_decay(0.1, step, 20),
    "pw": tf.train.piecewise_constant(step, [3, 6], [1.0, 0.5, 0.1]),
}
x = tf.Variable(5.0)
opt = tf.train.GradientDescentOptimizer(rates["stair"])
op = opt.minimize(x * x, global_step=step)
print(op.name, op.type, rates["exp"], step)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for i in range(8):
        s.run(op)
        if i % 3 == 0:
            print(
                tf.train.global_step(s, step),
                {k: f"{s.run(v):.6f}" for k, v in sorted(rates.items())},
                f"{s.run(x):.5f}",
            )
