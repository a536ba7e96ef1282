# A line through noisy points: placeholder, variables, tf.gradients, updates by hand.  # ruff: noqa: UP031
import numpy as np
import tensorflow as tf

xs = np.linspace(-1, 1, 20).astype(np.float32)
ys = 3 * xs - 0.5 + 0.1 * np.sin(np.arange(20)).astype(np.float32)

x = tf.placeholder(tf.float32, [None], name="x")
y = tf.placeholder(tf.float32, [None], name="y")
slope = tf.Variable(0.0, name="slope")
offset = tf.Variable(tf.zeros([]), name="offset")
error = slope * x + offset - y
loss = tf.reduce_mean(tf.square(error), name="loss")
by_slope, by_offset = tf.gradients(loss, [slope, offset])
step = tf.group(slope.assign_sub(0.3 * by_slope), tf.assign(offset, offset - 0.3 * by_offset), name="step")
print(loss, error)
print(by_slope.shape, by_offset.dtype, step.name, step.type)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(61):
        _, now = sess.run([step, loss], feed_dict={x: xs, y: ys})
        if i % 20 == 0:
            print(i, "%.4f" % now)
    print("%.3f %.3f" % (slope.eval(), sess.run(offset)))
    print(sess.run(error, {x: [0.0], y: [0.0]}).round(3), sess.run(by_slope, {x: xs[:3], y: ys[:3]}).round(3))
