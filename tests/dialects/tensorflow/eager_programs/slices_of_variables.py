"""Slices of variables are written to; batches of scalars and rows; band matrices."""

import tensorflow as tf

v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
v[0].assign([7.0, 8.0])
v[1, 1].assign(4.5)
v[:, 0].assign([6.0, 2.0])
print(v.numpy(), type(v[0]).__name__, v[0] + 1.0)


def rows():
    yield 1, [1.0]
    yield 2, [2.0, 3.0]


signature = (tf.TensorSpec((), tf.int32), tf.TensorSpec((None,), tf.float32))
for number, values in tf.data.Dataset.from_generator(rows, output_signature=signature).padded_batch(2):
    print(number, values)
print(tf.linalg.band_part(tf.ones([3, 3]), -1, 0).numpy().tolist(), tf.linalg.band_part(tf.ones([2, 3]), 0, 1).numpy())
print(tf.repeat([[1, 2], [3, 4]], [1, 2], axis=0).numpy().tolist(), tf.repeat([1, 2], 2))
image = tf.reshape(tf.range(4.0), [1, 2, 2, 1])
print(
    tf.nn.conv2d_transpose(image, tf.ones([2, 2, 1, 1]), [1, 4, 4, 1], 2)[0, 0, :, 0],
    tf.math.cumprod([1, 2, 3], reverse=True),
)
