# ends: error ValueError
import tensorflow as tf

first = tf.Graph()
with first.as_default():
    a = tf.constant(1.0)

b = tf.constant(2.0)
with tf.Session() as sess:
    print(sess.run(a))
