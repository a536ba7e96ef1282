import tensorflow as tf

x = tf.placeholder(tf.float32, name="x")
w = tf.Variable(1.0, name="w")
loss = tf.square(w * x - 6.0, name="loss")

dw = tf.gradients(loss, w)[0]
step = tf.assign(w, w - 0.1 * dw, name="step")

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([loss, dw], {x: 2.0}))
    print(sess.run(w))
    sess.run(step, {x: 2.0})
    print(sess.run(w))
