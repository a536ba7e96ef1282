# ends: error RuntimeError
import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
w = tf.Variable(1.0, name="w")
init = tf.global_variables_initializer()
tf.get_default_graph().finalize()

with tf.Session() as sess:
    sess.run(init)
    for step in range(6):
        loss = tf.square(w * x - 4.0)
        print(step, sess.run(loss, {x: 2.0}))
