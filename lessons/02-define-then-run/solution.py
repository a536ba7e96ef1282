import tensorflow as tf

price = tf.placeholder(tf.float32, name="price")
rate = tf.Variable(0.2, name="rate")

total = price + price * rate

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(total, {price: 50.0}))
