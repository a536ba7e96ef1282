# ends: error FailedPreconditionError
import tensorflow as tf

w = tf.Variable(0.5, name="w")
y = w * 4.0
with tf.Session() as sess:
    print(sess.run(y))
