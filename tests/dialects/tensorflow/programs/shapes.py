# Static shape and dynamic shape
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784], name='images')
print(x)
print(x.shape, x.get_shape(), x.shape.as_list(), x.shape.ndims)
print(x.get_shape()[0], x.get_shape()[1], x.shape[1].value)
print(repr(x.shape))
flat = tf.reshape(x, [-1, 28, 28, 1])
print(flat)
print(tf.reshape(x, [-1]))
u = tf.placeholder(tf.float32, name='u')
print(u, u.shape, u.shape.ndims)
try:
    print(u.shape.as_list())
except ValueError as e:
    print('ValueError:', e)
try:
    len(u.shape)
except ValueError as e:
    print('ValueError:', e)
u.set_shape([None, 3])
print(u)
try:
    u.set_shape([None, 4])
except ValueError as e:
    print('ValueError:', e)
dyn = tf.shape(x)
print(dyn)
batch = tf.shape(x)[0]
print(batch)
tiled = tf.tile(tf.zeros([1, 2]), tf.stack([batch, 1]))
print(tiled)
print(tf.concat([x, x], axis=0).shape, tf.concat([x, x], axis=1).shape)
print(tf.expand_dims(x, 0).shape, tf.squeeze(flat, [3]).shape, tf.transpose(flat, [3, 0, 1, 2]).shape)
print(x.shape.is_fully_defined(), tf.TensorShape([2, 3]).is_fully_defined(), tf.TensorShape([2, 3]).num_elements())
print(tf.TensorShape([None, 3]).merge_with([2, None]), tf.TensorShape([2]).concatenate([5]), tf.TensorShape(None))
print(tf.TensorShape([None, 3]).is_compatible_with([7, 3]), tf.TensorShape([2, 3]) == [2, 3])
print(tf.rank(x), tf.size(x))
try:
    tf.matmul(x, tf.zeros([10, 5]))
except ValueError as e:
    print('ValueError:', e)
try:
    tf.zeros([2, 3]) + tf.zeros([2, 4])
except ValueError as e:
    print('ValueError:', e)
try:
    tf.reshape(tf.zeros([2, 3]), [4, 2])
except ValueError as e:
    print('ValueError:', e)
try:
    tf.concat([tf.zeros([2, 3]), tf.zeros([3, 4])], 0)
except ValueError as e:
    print('ValueError:', e)
with tf.Session() as sess:
    print(sess.run(dyn, {x: np.zeros((5, 784))}), sess.run(batch, {x: np.zeros((2, 784))}))
    print(sess.run(tiled, {x: np.zeros((3, 784))}))
    print(sess.run([tf.rank(flat), tf.size(x)], {x: np.ones((2, 784))}))
