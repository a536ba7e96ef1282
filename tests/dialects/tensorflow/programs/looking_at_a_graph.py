import tensorflow as tf
g = tf.Graph()
with g.as_default():
    with tf.device('/cpu:0'):
        a = tf.placeholder(tf.float32, [None], name='a')
    with tf.name_scope('net'):
        w = tf.Variable([1., 2.], name='w')
        h = tf.multiply(a, w, name='h')
    tf.add_to_collection('outputs', h)
    print([op.name for op in g.get_operations()])
    print(a.op.device, h.op.type, h.op.node_def.op, [i.name for i in h.op.inputs], h.op.get_attr('T'))
    print(h.op.outputs, w.op.type, g.get_collection('outputs'))
    print(a.consumers()[0].name, [o.name for o in a.op.control_inputs])
    print(h.graph is g, tf.get_default_graph() is g)
print(repr(h.op), str(a.op.name))
try:
    g.get_tensor_by_name('nothing:0')
except KeyError as e:
    print(e)
try:
    g.get_operation_by_name('net/h:0')
except ValueError as e:
    print(e)
try:
    g.get_tensor_by_name('net/h')
except ValueError as e:
    print(e)
try:
    g.get_tensor_by_name('net/h:3')
except KeyError as e:
    print(e)
print(g.as_graph_def().node[0].name, len(g.as_graph_def().node))
print(tf.get_default_graph().get_operations())
b = tf.constant(1.0)
try:
    with tf.Session(graph=g) as s:
        s.run(b)
except ValueError as e:
    print(e)
try:
    tf.add(b, h)
except ValueError as e:
    print(str(e).split(' (graphs')[0].split('.')[0])
try:
    with tf.Session() as s:
        s.run(b, {a: [1.]})
except TypeError as e:
    print(e)
try:
    with tf.Session(graph=tf.Graph()) as s:
        s.run(b)
except RuntimeError as e:
    print(e)
with tf.Session(graph=g) as s:
    s.run(w.initializer)
    print(s.run('net/h:0', {'a:0': [3., 4.]}))
    print(s.run(['net/h:0', 'net/w:0'], {'a:0': [3., 4.]}))
