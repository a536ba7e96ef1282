# ends: error ValueError
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
W = tf.constant([[1.0], [2.0], [3.0]], name="W")

print("before the line")
h = tf.matmul(x, W)
print("never printed")
