import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
W = tf.Variable([[0.6], [-0.4]], name="W")

half = tf.constant(1.0) / 2.0
pred = tf.nn.relu(tf.matmul(x, W) + half)

loss = tf.reduce_mean(tf.square(pred - y))
mae = tf.reduce_mean(tf.abs(pred - y))
peak = tf.reduce_max(pred)

X = [[1.0, 2.0], [3.0, 1.0], [0.5, 0.5]]
Y = [[0.4], [1.5], [0.5]]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        print(step, *sess.run([loss, mae], {x: X, y: Y}))
    print("peak", sess.run(peak, {x: X}))
    print("ops in the graph:", len(tf.get_default_graph().get_operations()))
