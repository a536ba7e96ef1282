import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
y = x
for k in range(20):
    y = y * 1.01 + 0.1

with tf.Session() as sess:
    for k in range(3):
        sess.run(y, {x: 1.0})
    z = y * 2.0
    for k in range(3):
        sess.run(z, {x: 1.0})
print("done")
