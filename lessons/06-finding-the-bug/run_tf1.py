# ends: error InvalidArgumentError
import tensorflow as tf

ids = tf.placeholder(tf.int32, [None], name="ids")
table = tf.constant([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], name="table")

rows = tf.gather(table, ids, name="rows")
score = tf.reduce_sum(rows, name="score")

with tf.Session() as sess:
    print(sess.run(score, {ids: [0, 2]}))
    print(sess.run(score, {ids: [1, 3]}))
