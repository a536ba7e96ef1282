import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [400, 400], name="x")

a1 = tf.matmul(x, x, name="a1")
a2 = tf.matmul(a1, x, name="a2")
b1 = tf.matmul(x + 1.0, x, name="b1")
b2 = tf.tanh(b1, name="b2")
y = tf.add(a2, b2, name="y")

config = tf.ConfigProto(inter_op_parallelism_threads=2)
value = np.full([400, 400], 0.01, np.float32)

with tf.Session(config=config) as sess:
    for step in range(4):
        sess.run(y, {x: value})
print("done")
