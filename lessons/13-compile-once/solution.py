import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
y = tf.square(x)

results = []
with tf.Session() as sess:
    for k in range(6):
        results.append(float(sess.run(y, {x: float(k)})))
print(results)
