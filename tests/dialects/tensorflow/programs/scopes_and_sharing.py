# Layers that share their weights, and the graph that grows.
import tensorflow as tf


def dense(x, units, name, reuse=None):
    with tf.variable_scope(name, reuse=reuse):
        w = tf.get_variable("kernel", [x.shape[-1].value, units], initializer=tf.constant_initializer(0.1))
        b = tf.get_variable("bias", [units], initializer=tf.zeros_initializer())
        return tf.nn.tanh(tf.nn.bias_add(tf.matmul(x, w), b))


x = tf.constant([[1.0, -1.0, 2.0]])
first = dense(x, 2, "one")
same = dense(x * 2.0, 2, "one", reuse=True)
deep = dense(dense(x, 4, "two"), 2, "three")
print(first, same, deep)
print([(v.name, v.shape.as_list()) for v in tf.trainable_variables()])
for make in (lambda: dense(x, 2, "one"), lambda: dense(x, 3, "one", True), lambda: dense(x, 2, "four", True)):
    try:
        make()
    except ValueError as e:
        print(str(e).split("\n")[0])
with tf.variable_scope("outer") as scope:
    with tf.variable_scope("inner", reuse=tf.AUTO_REUSE):
        p = tf.get_variable("p", initializer=1.5)
        q = tf.get_variable("p")
    print(p is q, scope.name, tf.get_variable_scope().name, p.name)
with tf.variable_scope(scope, reuse=True), tf.variable_scope("inner"):
    print(tf.get_variable("p") is p)
counter = tf.get_variable("counter", [], tf.int32, tf.zeros_initializer(), trainable=False)
up = tf.assign_add(counter, 2)
with tf.control_dependencies([up]):
    after = tf.identity(counter.read_value(), name="after")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([first, same]), sess.run(deep).round(4))
    print(sess.run(after), sess.run(after), sess.run(counter))
    before = len(tf.get_default_graph().get_operations())
    for i in range(3):
        sess.run(counter + i)
    print(len(tf.get_default_graph().get_operations()) - before)
    print(sess.run(tf.report_uninitialized_variables()))
print(tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="two"))
