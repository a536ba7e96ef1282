# ends: error RuntimeError
import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
w = tf.Variable(5.0, name="w")
loss = tf.square(w * x - 4.0, name="loss")

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.get_default_graph().finalize()
    for step in range(5):
        sess.run(tf.assign_sub(w, 0.1 * tf.gradients(loss, w)[0]), {x: 1.0})
        print(step, sess.run(tf.identity(loss), {x: 1.0}))
