import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
def layer(n, reuse=None):
    with tf.variable_scope(None, default_name="dense") as s:
        v = tf.get_variable("kernel", [2, n])
        return s.name, v.name, tf.identity(v).name
def attempt(n):
    try:
        return layer(n)
    except ValueError as e:
        return str(e)[:60]
def net(reuse=None):
    with tf.variable_scope("d", reuse=reuse):
        return [layer(2, reuse), layer(3, reuse)]
print(net()); print(net(True)); print(net(tf.AUTO_REUSE))
print(layer(4), layer(4))
with tf.variable_scope("dense_2"): print(layer(1))
print(layer(5))
with tf.variable_scope("a") as a:
    print(attempt(2))
    with tf.variable_scope(a): print(attempt(3))
    print(attempt(4))
with tf.variable_scope(a):
    print(attempt(5))
with tf.variable_scope(a, reuse=tf.AUTO_REUSE):
    print(attempt(5))
with tf.variable_scope("a/b"): print(attempt(1))
with tf.variable_scope("a"):
    with tf.variable_scope("b"):
        print(attempt(1))
def again():
    with tf.variable_scope("shared") as s:
        one = layer(2); s.reuse_variables()
        try: return one, layer(2)
        except ValueError as e: return one, str(e)[:70]
print(again())
print([v.name for v in tf.global_variables()])
