# title: One function, traced and run
# group: TensorFlow 2
# note: Each new shape is traced once, then the graph runs again. Side by side shows the same function run eagerly.

import tensorflow as tf

W = tf.Variable([[0.6, -0.4], [0.3, 0.5]])


@tf.function
def score(x):
    h = tf.nn.relu(tf.matmul(x, W))
    return tf.reduce_mean(h)


for rows in (2, 2, 3, 3, 2):
    print(rows, float(score(tf.ones([rows, 2]))))
