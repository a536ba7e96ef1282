import numpy as np
import tensorflow as tf
v = tf.zeros([3], name='v'); x = tf.placeholder(tf.float32, [None, 3], name='x'); u = tf.placeholder(tf.float32, name='u')
a = tf.zeros([2, 3], name='a'); k = tf.placeholder(tf.int32, name='k')
with tf.Session() as s:
    def run(f, feed=None):
        try: print(s.run(f, feed))
        except Exception as e:
            ls=[l for l in str(e).split('\n') if l.strip()]
            i=[j for j,l in enumerate(ls) if '[[{{node' in l]
            print(type(e).__name__, ls[i[0]-1] if i else ls[0])
    run(tf.gather(v, 7)); run(tf.matmul(u, a), {u: np.zeros((2, 3))}); run(u + v, {u: np.zeros(2)}); run(u * x, {u: np.zeros((2, 2)), x: np.zeros((2, 3))}); run(tf.reshape(u, [4]), {u: np.zeros(3)}); run(tf.reshape(u, [-1, 2]), {u: np.zeros(3)}); run(tf.concat([u, a], 0), {u: np.zeros((2, 2))}); run(tf.stack([u, v]), {u: [1.]}); run(tf.gather(u, 9), {u: [1., 2.]}); run(tf.constant(1) // 0)
    run(tf.check_numerics(tf.log(-1.0), 'oh')); run(tf.Assert(False, ['bad', 1])); run(tf.slice(u, [0], [3]), {u: [1.]}); run(u[4], {u: [1.]}); run(x[0], {x: np.zeros((0, 3))}); 
    run(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[5], logits=[[1., 2.]])); run(tf.one_hot([5], 3)); run(tf.nn.embedding_lookup(a, [5])); run(tf.matrix_inverse([[0., 0.], [0., 0.]])); run(tf.assign(tf.Variable([1., 2.], name='w', validate_shape=True), u), {u: [1., 2., 3.]}); run(tf.squeeze(u, [0]), {u: np.zeros((2, 2))}); run(tf.transpose(u, [1, 0]), {u: [1.]}); run(tf.reduce_sum(u, 1), {u: [1.]}); run(tf.argmax(u, 1), {u: [1.]}); run(tf.constant([1, 2]) % 0); run(tf.nn.bias_add(u, [1., 2.]), {u: np.zeros((1, 3))})
