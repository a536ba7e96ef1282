import numpy as np
import tensorflow as tf
tf.set_random_seed(7)
names = {
 'zeros': tf.zeros_initializer(), 'ones': tf.ones_initializer(), 'const': tf.constant_initializer([1., 2., 3., 4.]),
 'normal': tf.random_normal_initializer(0., 0.1), 'uniform': tf.random_uniform_initializer(-1., 1.),
 'trunc': tf.truncated_normal_initializer(stddev=0.5), 'glorot': tf.glorot_uniform_initializer(), 'gn': tf.glorot_normal_initializer(),
 'vs': tf.variance_scaling_initializer(scale=2.0), 'ident': tf.initializers.identity(), 'he': tf.initializers.he_normal(), 'lu': tf.initializers.lecun_uniform(),
 'orth': tf.orthogonal_initializer(),
}
vs = {}
for k, init in names.items():
    vs[k] = tf.get_variable(k, [2, 2], initializer=init)
seeded = tf.get_variable('seeded', [2], initializer=tf.random_normal_initializer(seed=3))
with tf.variable_scope('a'):
    b = tf.get_variable('b', shape=[], initializer=tf.constant_initializer(3), trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    reg = tf.get_variable('r', [2], initializer=tf.ones_initializer(), regularizer=lambda w: 0.5 * tf.reduce_sum(w))
print(len(tf.global_variables()), tf.local_variables(), len(tf.trainable_variables()))
print(len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)))
tf.add_to_collection('mine', b)
tf.add_to_collection('mine', 3)
print(tf.get_collection('mine'), tf.get_collection('nothing'))
print([v.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope='a')])
print(sorted(tf.get_default_graph().get_all_collection_keys()))
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    for k, v in vs.items():
        if k != 'orth':
            print(k, sess.run(v).round(4).tolist())
    q = sess.run(vs['orth']); print((q @ q.T).round(3) + 0.0)
    print(sess.run(seeded).round(4), sess.run(b), sess.run(tf.losses.get_regularization_loss()))
    w = tf.Variable(tf.truncated_normal([3, 2], stddev=0.1), name='w')
    b2 = tf.Variable(tf.constant(0.1, shape=[2]), name='b2')
    sess.run(tf.variables_initializer([w, b2]))
    print(w.eval().round(4), b2.eval())
    print(sess.run(w.initial_value).shape, tf.is_variable_initialized(w).eval())
    print(tf.assert_variables_initialized() is not None)
