import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4], name="x")
n = tf.placeholder(tf.int32, [], name="n")
outs = [x[:n], x[n:], x[n, 1:], x[:, n], x[::2, :n], x[..., n], x[n:n+2, tf.newaxis], x[:n-1], x[0:tf.shape(x)[0]-1], x[tf.shape(x)[0]-1], x[:-1, ::-1]]
for o in outs: print(o)
g = tf.gradients([tf.reduce_sum(o) for o in outs[:6]], x)[0]
for op in tf.get_default_graph().get_operations()[:40]: print(op.name, op.type)
import numpy as np
with tf.Session() as s:
    for k in (1, 2, -1):
        for o in outs + [g]: print(s.run(o, {x: np.arange(12.).reshape(3, 4), n: k}).tolist())
