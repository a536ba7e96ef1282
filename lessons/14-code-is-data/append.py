import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
y = x * 2.0

sess = tf.Session()
print(sess.run(y, {x: 3.0}))

z = y + 1.0
print(sess.run(z, {x: 3.0}))

tf.get_default_graph().finalize()
try:
    y * 5.0
except RuntimeError as error:
    print(error)
