# Which trace of a tf.function serves a call
import tensorflow as tf

@tf.function
def f(x, y=2):
    print('trace', x, y)
    return x * y

print(f(tf.constant(3)))
print(f(tf.constant(4)))
print(f(tf.constant(3), 3))
print(f(tf.constant(3), y=3))
for _ in range(10): f(tf.constant(3))
print(f(3))
print(f(4))
for _ in range(10): f(3)
print(f(3))
for _ in range(12): f(3)
print(f(tf.constant(3.0)))
print(f(tf.constant([1.0, 2.0])))
for _ in range(12): f(3)
print(f(tf.constant([1.0, 2.0, 3.0])))
print(f(tf.constant([1, 2]), tf.constant(3)))
print(f.experimental_get_tracing_count())

@tf.function
def g(x):
    print('g', x.shape)
    return tf.reduce_sum(x)
for n in (1, 2, 3, 4):
    print(g(tf.ones([n])).numpy())

@tf.function(reduce_retracing=True)
def h(x):
    print('h', x.shape)
    return tf.reduce_sum(x)
for n in (1, 2, 3, 4):
    print(h(tf.ones([n])).numpy())
print(h.experimental_get_tracing_count())

@tf.function
def s(name, flag=True):
    print('s', name, flag)
    return tf.constant(name)
print(s('a')); print(s('a')); print(s('b')); print(s('a', False)); print(s('a', flag=True))
@tf.function
def n(d):
    print('dict', sorted(d))
    return d['a'] + d['b']
print(n({'a': tf.constant(1), 'b': tf.constant(2)}))
print(n({'b': tf.constant(5), 'a': tf.constant(2)}))
@tf.function
def lst(xs):
    print('list', len(xs))
    return tf.add_n(xs)
print(lst([tf.constant(1.0), tf.constant(2.0)]))
print(lst([tf.constant(1.0)]))
print(lst((tf.constant(1.0), tf.constant(4.0))))
import numpy as np
@tf.function
def p(x):
    print('np', x)
    return x + 1
print(p(np.array([1, 2]))); print(p(np.array([3, 4]))); print(p(np.float32(2))); print(p(True)); print(p(None) if False else 'ok')
v1, v2 = tf.Variable(1.0), tf.Variable(2.0)
@tf.function
def vv(v):
    print('var')
    return v + 1
print(vv(v1), vv(v2), vv(v1))
