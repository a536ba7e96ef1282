import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
w = tf.constant([1.0, 3.0], name="w")
y = tf.reduce_sum(tf.multiply(x, w, name="xw"), name="y")

graph = tf.get_default_graph()
for op in graph.get_operations():
    print(op.name, op.type, [i.op.name for i in op.inputs])

print(len(graph.as_graph_def().node), "nodes as data")
