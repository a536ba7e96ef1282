# What counts of Python values, and variables whose sizes are open
import tensorflow as tf, numpy as np
@tf.function
def f(x):
    print('tracing', repr(x))
    return x + 1
for v in (1, True, 1.0, 2.0, 2, 0, False, 0.0, 'a'):
    try: print(v, f(v))
    except Exception as e: print(type(e).__name__)
@tf.function
def g(x, flag=1.0):
    print('g', x, repr(flag))
    return x
g(tf.constant(1)); g(tf.constant(1), 1); g(tf.constant(1), True); g((1, 2)); g((True, 2.0)); g([1, 2])
from tensorflow import keras
from tensorflow.keras import layers
a = keras.Input(shape=(4,), name='a'); b = keras.Input(shape=(3,), name='b')
m = keras.Model(inputs=[a, b], outputs=layers.Concatenate()([a, b]), name='two')
one = keras.Model(inputs=a, outputs=layers.Dense(1)(a), name='one')
d = keras.Model(inputs={'a': a, 'b': b}, outputs=layers.Concatenate()([a, b]), name='dd')
x4 = np.ones((2, 4)); x3 = np.ones((2, 3))
def attempt(t, f):
    try: print(t, np.shape(f()))
    except Exception as e: print(t, type(e).__name__, str(e))
attempt(1, lambda: m.predict(x4, verbose=0))
attempt(2, lambda: m(x4))
attempt(3, lambda: m([x4]))
attempt(4, lambda: m([x4, x3, x3]))
attempt(5, lambda: m([x3, x4]))
attempt(6, lambda: m({'a': x4, 'b': x3}))
attempt(7, lambda: m({'a': x4}))
attempt(8, lambda: one(x3))
attempt(9, lambda: one.predict(x3, verbose=0))
attempt(10, lambda: one([x4, x4]))
l = layers.Dense(2, name='den'); l(x4)
attempt(18, lambda: l(x3))
v = tf.Variable([1.0], shape=tf.TensorShape([None])); print(v); v.assign([1., 2.]); print(v, v.shape)
w = tf.Variable([[1.0]], shape=[None, None], dtype=tf.float32); print(w.shape); w.assign(tf.zeros([2, 3])); print(tf.shape(w))
attempt(19, lambda: w.assign([1.0]))
