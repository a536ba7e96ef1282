import tensorflow as tf

# names that the graph has already get a number; a meta graph under a scope of its own, into a session that is open
a = tf.constant(1.0, name="a")
b = tf.add(a, 1.0, name="b")
plan = tf.get_default_graph().as_graph_def()
for name in ("", "x", "x"):
    found = tf.import_graph_def(plan, name=name, return_elements=["b:0", "a"])
    print(found, found[0].op.inputs[0])
print([op.name for op in tf.get_default_graph().get_operations()])
with tf.name_scope("inner"):
    print(tf.import_graph_def(plan, return_elements=["b"]))

tf.reset_default_graph()
w = tf.get_variable("w", [2], initializer=tf.constant_initializer(2.0))
x = tf.placeholder(tf.float32, [2], name="x")
y = tf.multiply(w, x, name="y")
grown = tf.assign_add(w, [1.0, 2.0], name="grow")
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(grown)
    print(saver.save(sess, "kept/model"))

tf.reset_default_graph()
with tf.Session() as sess:
    for scope in (None, "again"):
        again = tf.train.import_meta_graph("kept/model.meta", import_scope=scope)
        again.restore(sess, "kept/model")
        before = "again/" if scope else ""
        print(sess.run(before + "y:0", {before + "x:0": [1.0, 1.0]}))
        sess.run(before + "grow")
        print(sess.run(before + "w:0"), [v.name for v in tf.global_variables()])

# a loop in a loop, which reads the outer one's variable
found = tf.while_loop(
    lambda i, t: i < 4,
    lambda i, t: (i + 1, t + tf.while_loop(lambda j, u: j < i, lambda j, u: (j + 1, u + j), (0, 0))[1]),
    (0, 0),
)
with tf.control_dependencies([tf.assert_positive(tf.constant([1.0, 2.0]), message="fine")]):
    fine = tf.identity(tf.constant(1))
given = tf.placeholder(tf.float32, [None, 2], name="given")
check = tf.assert_positive(given, message="all")
same = tf.assert_equal(tf.reduce_sum(given), 3.0)
channels = tf.nn.depthwise_conv2d(tf.ones([1, 3, 3, 2]), tf.reshape(tf.range(16.0), [2, 2, 2, 2]), [1, 1, 1, 1], "VALID")
slope = tf.gradients(tf.reduce_sum(channels * channels), channels.op.inputs[1])[0]
with tf.Session() as sess:
    print(sess.run([found, fine]))
    for op in (check, same):
        try:
            sess.run(op, {given: [[1.0, -1.5]]})
        except tf.errors.InvalidArgumentError as error:
            print([line for line in str(error).split("\n") if "assertion" in line][0])
    print(sess.run(channels)[0, 0], sess.run(slope)[0, 0])
keep = tf.placeholder_with_default(1.0, (), name="keep")
print(keep, keep.op.inputs[0].name, tf.get_collection_ref("none"))
