# tf.compat.v1 inside a program of 2.x
import tensorflow as tf
print(tf.executing_eagerly())
g = tf.Graph()
with g.as_default():
    x = tf.compat.v1.placeholder(tf.float32, [None], name='x')
    v = tf.Variable(2.0, name='v')
    y = x * v + 1.0
    init = tf.compat.v1.global_variables_initializer()
    with tf.compat.v1.Session() as sess:
        sess.run(init)
        print(sess.run(y, {x: [1.0, 2.0]}))
        print(tf.executing_eagerly(), y)
with tf.compat.v1.Session(graph=g) as sess:
    sess.run(init)
    print(sess.run(y, feed_dict={x: [3.0]}))
with tf.Graph().as_default():
    w = tf.compat.v1.get_variable('w', shape=[2], initializer=tf.compat.v1.zeros_initializer())
    loss = tf.reduce_sum(tf.square(w - 3.0))
    opt = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.compat.v1.Session() as s:
        s.run(tf.compat.v1.global_variables_initializer())
        for _ in range(3): s.run(opt)
        print(s.run(w), s.run(tf.gradients(loss, w)))
print(tf.constant(1) + 2)
try:
    tf.compat.v1.placeholder(tf.float32)
except RuntimeError as e: print(e)
try:
    tf.gradients(tf.constant(1.0), tf.constant(1.0))
except RuntimeError as e: print(e)
with tf.compat.v1.Session() if False else tf.device('/CPU:0'):
    print(tf.constant([1.0]).device)
tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
print(tf.compat.v1.train.get_or_create_global_step() if False else 'done', tf.compat.as_text(b'x'))
