import tensorflow as tf

x = tf.placeholder(tf.float32, [3], name="x")
h = tf.nn.relu(x - 1.0, name="h")
y = tf.reduce_sum(h, name="y")

plan = tf.get_default_graph().as_graph_def()
for node in plan.node:
    if node.op == "Relu":
        node.op = "Tanh"

other = tf.Graph()
with other.as_default():
    tf.import_graph_def(plan, name="")

value = {"x:0": [0.0, 1.0, 2.0]}
with tf.Session() as sess:
    print(sess.run("y:0", value))
with tf.Session(graph=other) as sess:
    print(sess.run("y:0", value))
