import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [16, 16])
left = tf.tanh(tf.matmul(x, x))
right = tf.tanh(tf.matmul(x + 1.0, x))
y = left + right

config = tf.ConfigProto(inter_op_parallelism_threads=2)
value = np.full([16, 16], 0.01, np.float32)

with tf.Session(config=config) as sess:
    for step in range(30):
        sess.run(y, {x: value})
print("done")
