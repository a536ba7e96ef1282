# Looking at a graph from inside
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name='x')
with tf.name_scope('hidden'):
    w = tf.Variable(tf.ones([2, 3]), name='w')
    b = tf.Variable(tf.zeros([3]), name='b')
    h = tf.nn.relu(tf.nn.xw_plus_b(x, w, b), name='h')
out = tf.reduce_sum(h, axis=1, name='out')
g = tf.get_default_graph()
for op in g.get_operations():
    print(op.name, op.type, [i.name for i in op.inputs], [o.shape.as_list() if o.shape.ndims is not None else None for o in op.outputs])
op = g.get_operation_by_name('hidden/h')
print(op.type, op.inputs[0].name, op.outputs[0] is h, op.graph is g)
print(op.node_def)
print(out.op.get_attr('keep_dims'), x.op.get_attr('dtype'), x.op.get_attr('shape'))
print([c.name for c in h.consumers()], w.op.outputs[0].name)
print(h.op.control_inputs, len(g.get_collection('variables')), g.get_all_collection_keys())
print(h.get_shape().as_list(), h.shape[1], h.shape[0].value, h.shape.ndims)
gd = g.as_graph_def()
print(len(gd.node), gd.node[0].name, gd.node[-1].input)
with tf.Graph().as_default() as g2:
    tf.import_graph_def(gd, name='')
    print([n.name for n in g2.get_operations()] == [n.name for n in g.get_operations()])
    tf.import_graph_def(gd, name='twice')
    print(g2.get_tensor_by_name('twice/out:0'))
    print(len(g2.get_collection('variables')))
print(g.is_fetchable(h), g.is_feedable(x))
with g.name_scope('hidden'):
    print(tf.identity(h).name)
with tf.name_scope('hidden/'):
    print(tf.identity(h).name)
with g.device('/cpu:0'), g.control_dependencies([h]):
    c = tf.constant(1.0)
print(c.op.control_inputs[0].name, c.device)
with tf.get_default_graph().colocate_with(w):
    print(tf.constant(2.0).name)
tf.add_to_collection('mine', h)
tf.add_to_collection('mine', out)
print(tf.get_collection('mine'))
print(tf.get_collection_ref('mine') is tf.get_collection_ref('mine'))
g.clear_collection('mine')
print(tf.get_collection('mine'))
