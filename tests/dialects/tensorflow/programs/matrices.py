# Matrix algebra
import numpy as np
import tensorflow as tf

A = tf.constant([[1., 2.], [3., 4.]])
B = tf.constant(np.arange(4).reshape(2, 2), dtype=tf.float32)
v = tf.constant([1., -1.])
print(A.get_shape(), v.get_shape(), A.dtype)
ops = {'matmul': tf.matmul(A, B), 'elementwise': A * B, 'transpose': tf.transpose(A), 'inverse': tf.matrix_inverse(A),
       'det': tf.matrix_determinant(A), 'trace': tf.trace(A), 'vec': tf.matmul(A, tf.expand_dims(v, 1)),
       'solve': tf.matrix_solve(A, tf.reshape(v, [2, 1])), 'eye': tf.eye(2), 'diag': tf.diag(v),
       'outer': tf.expand_dims(v, 1) * tf.expand_dims(v, 0), 'dot': tf.reduce_sum(v * v), 'norm': tf.norm(v),
       'transposed': tf.matmul(A, B, transpose_b=True), 'batch': tf.matmul(tf.stack([A, B]), tf.stack([B, A]))}
for name in sorted(ops):
    print(name, ops[name].shape, ops[name].name)
with tf.Session() as sess:
    for name in sorted(ops):
        print(name)
        print(sess.run(ops[name]).round(4))
    values, vectors = sess.run(tf.self_adjoint_eig(tf.constant([[2., 1.], [1., 2.]])))
    print(values.round(4), np.abs(vectors).round(4))
    L = tf.cholesky(tf.constant([[4., 2.], [2., 3.]]))
    print(sess.run(L).round(4))
    print(sess.run(tf.matrix_band_part(tf.ones([3, 3]), -1, 0)))
    print(sess.run(tf.reduce_sum(A, axis=0)), sess.run(tf.reduce_sum(A, axis=1)), sess.run(tf.reduce_mean(A)))
    print(sess.run(tf.concat([A, B], 1)))
    print(sess.run(tf.argmax(A, axis=1)), sess.run(tf.reduce_max(A, axis=1, keepdims=True)))
    print(sess.run(A[0]), sess.run(A[:, 1]), sess.run(A[::-1]), sess.run(A[..., tf.newaxis]).shape, sess.run(A[-1, -1]))
