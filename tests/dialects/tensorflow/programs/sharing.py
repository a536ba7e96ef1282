# One network used twice
import numpy as np
import tensorflow as tf


def network(x, reuse=None):
    with tf.variable_scope('net', reuse=reuse):
        h = tf.layers.dense(x, 4, activation=tf.nn.relu, name='fc1', kernel_initializer=tf.constant_initializer(0.1))
        out = tf.layers.dense(h, 2, name='fc2', kernel_initializer=tf.constant_initializer(-0.2))
    return out


a = tf.placeholder(tf.float32, [None, 3], name='a')
b = tf.placeholder(tf.float32, [None, 3], name='b')
out_a = network(a)
out_b = network(b, reuse=True)
print(out_a, out_b)
distance = tf.sqrt(tf.reduce_sum(tf.square(out_a - out_b), axis=1), name='distance')
print(distance)
try:
    network(a)
except ValueError as e:
    print(str(e).split('.')[0])
for v in tf.trainable_variables():
    print(v.op.name, v.get_shape().as_list())
print(tf.trainable_variables(scope='net/fc1'))
with tf.variable_scope('net', reuse=tf.AUTO_REUSE):
    k = tf.get_variable('fc1/kernel', [3, 4])
print(k.name, k is tf.trainable_variables()[0])
layer = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer(), name='shared')
y1, y2 = layer(a), layer(b)
print(y1, y2, len(layer.trainable_weights))
total = sum(np.prod(v.shape.as_list()) for v in tf.trainable_variables())
print('parameters', total)
print([op.name for op in tf.get_default_graph().get_operations() if op.type == 'MatMul'])
target = tf.get_variable('target', initializer=layer.kernel.initialized_value(), trainable=False)
copy = target.assign(0.9 * target + 0.1 * layer.kernel)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    fa, fb = np.ones((1, 3)), np.array([[1.0, 2.0, 3.0]])
    print(sess.run([out_a, out_b], {a: fa, b: fb}))
    print(sess.run(distance, {a: fa, b: fb}).round(4))
    print(sess.run([y1, y2], {a: fa, b: fb}))
    sess.run(layer.kernel.assign(tf.zeros([3, 2])))
    print(sess.run(copy))
    names = [v.name for v in tf.global_variables()]
    print(names)
    values = dict(zip(names, sess.run(tf.global_variables())))
    print(values['net/fc2/kernel:0'])
