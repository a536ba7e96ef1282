import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4], name="x")
y = tf.reduce_sum(tf.square(x), axis=1)

with tf.Session() as sess:
    for rows in (2, 3, 2, 3, 5):
        print(rows, sess.run(y, {x: np.ones([rows, 4], np.float32)}).sum())
