# ends: error OperatorNotAllowedInGraphError
import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
if tf.reduce_sum(x) > 0:
    y = x * 2.0
else:
    y = x - 1.0
