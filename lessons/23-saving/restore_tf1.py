import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 1], name="x")
w = tf.Variable([[3.0]], name="w")
y = tf.matmul(x, w, name="y")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, "./linear")

tf.reset_default_graph()
print("nodes now:", len(tf.get_default_graph().get_operations()))

saver = tf.train.import_meta_graph("./linear.meta")
with tf.Session() as sess:
    saver.restore(sess, "./linear")
    print(sess.run("y:0", {"x:0": [[2.0]]}))
