import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
W = tf.Variable([[0.5], [-0.5]], name="W")

pred = tf.matmul(x, W, name="pred")
loss = tf.reduce_mean(tf.square(pred - y), name="loss")
before = len(tf.get_default_graph().get_operations())

dW = tf.gradients(loss, W)[0]
after = len(tf.get_default_graph().get_operations())

print("ops", before, "->", after)
print(dW)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(dW, {x: [[1.0, 2.0]], y: [[1.0]]}))
