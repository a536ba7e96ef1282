# tf.print, at once and in functions
import sys, tensorflow as tf
o = sys.stdout
tf.print(1.0, 0.1, 123456.0, 1234567.0, 12345678.0, 123456789.0, 1e10, 1e-4, 1e-5, 1.5e-6, 1e20, output_stream=o)
c = lambda *v: tf.constant(v)
tf.print(c(1.0, 0.1, 123456.0), output_stream=o)
for v in (1234567.0, 12345678.0, 123456789.0, 1e10, 1.5e10, 1e-4, 1.5e-4, 1e-5, 1.5e-6, 1e20, 3.14159265, 100000.0, 1e6, 1e7, 16777216.0, 0.00012345, 33.333333):
    tf.print(v, tf.constant(v), tf.constant(v, tf.float64), output_stream=o)
tf.print(tf.range(10), tf.range(7), tf.range(6), output_stream=o)
tf.print(tf.reshape(tf.range(16), [4, 4]), output_stream=o)
tf.print(tf.reshape(tf.range(100), [10, 10]), output_stream=o)
tf.print(tf.reshape(tf.range(8), [2, 2, 2]), output_stream=o)
tf.print('a', 'b', sep=',', end='!\n', output_stream=o)
tf.print([1, tf.constant(2)], (3, 'x'), {'k': tf.constant([1.5])}, None, True, tf.constant(True), output_stream=o)
tf.print(tf.constant('hi'), tf.constant(['hi', 'yo']), output_stream=o)
tf.print(tf.Variable(3.0), tf.Variable([1, 2]), output_stream=o)
tf.print('s:', tf.range(10), summarize=-1, output_stream=o)
tf.print(float('nan'), tf.constant([float('inf'), -1.0]), output_stream=o)
@tf.function
def f(x):
    tf.print('in', x, {'a': x, 'b': 2}, [x, 'lit'], output_stream=o)
    return x
f(tf.constant([1.5, 2.0]))
f(tf.constant(2))
