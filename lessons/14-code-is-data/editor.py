import tensorflow as tf
from tensorflow.contrib import graph_editor as ge

a = tf.constant(1.0, name="a")
b = tf.constant(10.0, name="b")
y = tf.add(a, 5.0, name="y")
minus = tf.negative(y, name="minus")
out = minus * 2.0

fresh = tf.Session()
stale = tf.Session()
print("before", stale.run(y))

ge.swap_ts([a], [b])

print("a new session", fresh.run(y))
print("a session that ran before", stale.run(y))

ge.bypass(minus.op)
print("without the minus", tf.Session().run(out))
