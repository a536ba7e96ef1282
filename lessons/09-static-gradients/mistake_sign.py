import tensorflow as tf

w = tf.Variable(5.0, name="w")
loss = tf.square(w - 2.0, name="loss")

# Make one gradient step of size 0.25 part of the graph, and name it `step`.
dw = tf.gradients(loss, w)[0]
step = tf.assign_add(w, 0.25 * dw)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(4):
        sess.run(step)
    print(sess.run(w))
