import tensorflow as tf

sess = tf.Session()
total = tf.constant(2.0) + tf.constant(3.0)
print(total)
