"""Lists whose tensors differ in dtype; how many an op takes."""

import tensorflow as tf

whole, half = tf.constant([1, 2]), tf.constant([0.5, 1.5])
for build in (
    lambda: tf.concat([whole, half], 0),
    lambda: tf.concat([[1], [1.0]], 0),
    lambda: tf.concat([whole, [1.5]], 0),
    lambda: tf.stack([whole, half]),
    lambda: tf.stack([tf.constant(1), 1.5]),
):
    try:
        print(build())
    except TypeError as error:
        print(type(error).__name__, error)
total = tf.add_n([whole, whole, whole])
rows = tf.stack([whole, total])
print(total.op.get_attr("N"), tf.concat([whole, total], 0).op.get_attr("N"), rows.op.get_attr("N"))
print(total.op.node_def)
with tf.Session() as session:
    print(session.run(rows))
