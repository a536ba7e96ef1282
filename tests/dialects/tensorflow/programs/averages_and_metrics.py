import tensorflow as tf

v = tf.Variable(1.0, name="v")
ema = tf.train.ExponentialMovingAverage(0.9)
up = v.assign_add(1.0)
with tf.control_dependencies([up]):
    m = ema.apply([v])
print(ema.average(v), ema.average_name(v), m.name)
lab = tf.placeholder(tf.int64, [None])
pre = tf.placeholder(tf.int64, [None])
acc, upd = tf.metrics.accuracy(lab, pre)
mean, mu = tf.metrics.mean(tf.cast(pre, tf.float32))
print(acc, upd, [x.name for x in tf.local_variables()])
with tf.Session() as s:
    s.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    for _ in range(3):
        s.run(m)
        print(s.run([v, ema.average(v)]))
    print(
        s.run(upd, {lab: [1, 2, 3], pre: [1, 2, 0]}),
        s.run(upd, {lab: [1], pre: [1]}),
        s.run(acc),
        s.run(mu, {pre: [1, 2]}),
        s.run(mean),
    )
