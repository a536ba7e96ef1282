import tensorflow as tf

g1, g2 = tf.Graph(), tf.Graph()
with g1.as_default():
    a = tf.constant(1.0, name="a")
    s1 = tf.Session()
with g2.as_default():
    b = tf.constant(2.0, name="a")
    s2 = tf.Session(graph=g2)
print(a.graph is g1, b.graph is g1, a, b, s1.graph is g1)
print(s1.run(a), s2.run(b))
for f in (
    lambda: a + b,
    lambda: s1.run(b),
    lambda: g1.get_tensor_by_name("zz:0"),
    lambda: g1.get_operation_by_name("a:0"),
    lambda: g1.get_tensor_by_name("a"),
    lambda: g1.as_graph_element(3),
    lambda: g1.get_operation_by_name("q"),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0][:160].replace(hex(id(g1)), "G1").replace(hex(id(g2)), "G2")[:100])
with g1.as_default():
    with tf.name_scope("s") as sc:
        print(sc)
        c = tf.add(a, 1.0)
        d = tf.identity(c, name="out")
        with tf.name_scope("t"):
            print(tf.zeros([1]).name, tf.get_default_graph().get_name_scope())
    with tf.name_scope("s"):
        print(tf.zeros([1]).name)
    with tf.name_scope(sc):
        print(tf.zeros([1]).name)
    print(g1.unique_name("a"), g1.unique_name("new"), g1.unique_name("new"))
    print([o.name for o in g1.get_operations()])
    print(c.op.inputs[0], c.consumers(), d.op.node_def.input, c.op.outputs)
    tf.add_to_collection("mine", c)
    print(tf.get_collection("mine"), g1.get_all_collection_keys())
    print(g1.version, g1.finalized)
    g1.finalize()
    try:
        tf.constant(1)
    except RuntimeError as e:
        print(e)
tf.reset_default_graph()
print(len(tf.get_default_graph().get_operations()))
