# Several graphs in one program
import tensorflow as tf

a = tf.constant(3.0, name='a')
print(a.graph is tf.get_default_graph())

g1 = tf.Graph()
with g1.as_default():
    x = tf.constant([1, 2, 3], name='x')
    y = tf.reduce_sum(x, name='y')
    print(x.graph is g1, tf.get_default_graph() is g1)
    print(y)

g2 = tf.Graph()
with g2.as_default():
    x2 = tf.constant([10.0, 20.0], name='x')
    y2 = tf.reduce_mean(x2, name='y')
    print(y2)

print([op.name for op in g1.get_operations()])
print([op.type for op in g2.get_operations()])
print(tf.get_default_graph() is a.graph)

with tf.Session(graph=g1) as sess:
    print(sess.run(y), sess.graph is g1)
with tf.Session(graph=g2) as sess:
    print(sess.run(y2))
    print(sess.run('y:0'))
    try:
        sess.run(y)
    except ValueError as e:
        print(type(e).__name__, str(e).split(' must be')[0][:70])

with g1.as_default():
    try:
        tf.add(x, a)
    except ValueError as e:
        print(type(e).__name__, '|', str(e)[:90])

with g1.as_default(), tf.device('/cpu:0'):
    d = tf.constant(1, name='d')
print(d.device, repr(d.op.device))
print(g1.as_graph_element('x:0') is x)
print(g1.as_graph_element(x.op) is x.op)
try:
    g1.get_tensor_by_name('nope:0')
except KeyError as e:
    print(e)
try:
    g1.get_tensor_by_name('x')
except ValueError as e:
    print(e)
try:
    g1.get_operation_by_name('nope')
except KeyError as e:
    print(e)
print(g1.version, g1.finalized, g1.seed, g1.building_function)
