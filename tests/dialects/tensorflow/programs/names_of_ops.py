# What the graph calls its ops.  # ruff: noqa: RUF005
import tensorflow as tf

a = tf.placeholder(tf.float32, [2, 3])
b = tf.constant([[1.0, 2.0, 3.0]], name="row")
results = [a + b, a - b, a * 2.0, 3.0 / a, -a, a**2.0, a @ tf.transpose(b), abs(a), a > b, a[0], a[:, 1:], 1.0 - a]
for r in results:
    print(r)
with tf.name_scope("stats"):
    mean = tf.reduce_mean(a, axis=1, keepdims=True)
    top = tf.reduce_max(a)
    which = tf.argmax(a, 1)
    print(mean, top, which)
    with tf.variable_scope("deep"):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        w = tf.Variable([1, 2], name="w")
        print(v.name, w.name, (v * 2.0).name)
print(tf.concat([a, b], 0), tf.stack([b, b]), tf.expand_dims(a, 0), tf.squeeze(b, [0]))
print(tf.reshape(a, [-1]), tf.cast(a, tf.int32), tf.zeros_like(a), tf.one_hot([1, 0], 4), tf.range(5))
print([op.name for op in tf.get_default_graph().get_operations()][:12])
print([(op.type, [t.name for t in op.inputs]) for op in tf.get_default_graph().get_operations()[2:8]])
print(v, repr(v), repr(a), a.shape, a.get_shape().as_list(), a.dtype, repr(a.dtype))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {a: [[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]}
    for value in sess.run(results + [mean, top, which], feed):
        print(value)
