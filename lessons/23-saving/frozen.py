import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 1], name="x")
w = tf.Variable([[3.0]], name="w")
y = tf.matmul(x, w, name="y")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    frozen = tf.graph_util.convert_variables_to_constants(sess, tf.get_default_graph().as_graph_def(), ["y"])

print([node.op for node in frozen.node])
with tf.Graph().as_default():
    tf.import_graph_def(frozen, name="")
    with tf.Session() as sess:
        print(sess.run("y:0", {"x:0": [[2.0]]}))
