"""A graph is data: programs change ops, inputs, constants and nodes of a GraphDef, and make some by hand."""
import tensorflow as tf

x = tf.placeholder(tf.float32, [3], name="x")
y = tf.nn.relu(x, name="y")
h = tf.reduce_sum(tf.reshape(tf.add(y, 1.0, name="h"), [3, 1]), axis=0, name="s")
z = tf.multiply(h, 2.0, name="z")
plan = tf.get_default_graph().as_graph_def()


def run(data, want="z:0", **more):
    with tf.Graph().as_default():
        (found,) = tf.import_graph_def(data, name="again", return_elements=[want], **more)
        with tf.Session() as sess:
            return sess.run(found, {"again/x:0": [-1.0, 0.5, 2.0]}).tolist()


def changed(change):
    data = tf.GraphDef()
    data.ParseFromString(plan.SerializeToString())
    change({node.name: node for node in data.node}, data)
    return data


def another_op(nodes, data):
    nodes["y"].op = "Neg"


def another_input(nodes, data):
    nodes["h"].input[0] = "x"


def another_constant(nodes, data):
    nodes["h/y"].attr["value"].tensor.CopyFrom(tf.make_tensor_proto(100.0))


def another_axis(nodes, data):
    nodes["s/reduction_indices"].attr["value"].CopyFrom(tf.AttrValue(tensor=tf.make_tensor_proto(1, tf.int32)))


def an_attribute(nodes, data):
    nodes["s"].attr["keep_dims"].b = True


def one_more(nodes, data):
    node = data.node.add()
    node.name, node.op = "square", "Square"
    node.input.extend(["y"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    nodes["h"].input[0] = "square"


def another_name(nodes, data):
    nodes["y"].name = "hidden"
    nodes["h"].input[0] = "hidden"


def one_less(nodes, data):
    nodes["h"].input[0] = "x"
    kept = [node for node in data.node if node.name != "y"]
    del data.node[:]
    data.node.extend(kept)


print("as it was", run(plan))
for change in (another_op, another_input, another_constant, another_axis, an_attribute, one_more, another_name, one_less):
    print(change.__name__, run(changed(change)))
print("as it was", run(plan), [node.op for node in plan.node] == [op.type for op in tf.get_default_graph().get_operations()])

with tf.Graph().as_default():
    three = tf.constant([3.0, 3.0, 3.0])
    (found,) = tf.import_graph_def(plan, input_map={"y:0": three}, return_elements=["z:0"], name="")
    print("mapped", found.name, tf.Session().run(found), tf.get_default_graph().get_operation_by_name("h").inputs[0].name)

made = tf.GraphDef()
first = tf.NodeDef()
first.name, first.op = "c", "Const"
first.attr["dtype"].type = tf.float32.as_datatype_enum
first.attr["value"].CopyFrom(tf.AttrValue(tensor=tf.make_tensor_proto([1.0, 4.0, 9.0])))
made.node.extend([first])
made.node.add(name="x", op="Placeholder")
made.node[1].attr["dtype"].type = 1
made.node.add(name="root", op="Sqrt", input=["c"])
made.node.add(name="z", op="AddV2", input=["root", "x"])
for node in made.node[2:]:
    node.attr["T"].type = 1
print("by hand", run(made), len(made.node), made.node[3].input[1])


def told(change, **more):
    try:
        print(run(changed(change) if change else plan, **more))
    except Exception as error:
        print(type(error).__name__, str(error))


def no_such_input(nodes, data):
    nodes["h"].input[0] = "nope"


def twice(nodes, data):
    nodes["y"].name = "x"


def no_such_output(nodes, data):
    nodes["h"].input[0] = "y:1"


def another_dtype(nodes, data):
    nodes["y"].attr["T"].type = tf.int32.as_datatype_enum


for change in (no_such_input, twice, no_such_output, another_dtype):
    told(change)
told(None, want="q:0")
told(None, want="y:3")
told(None, input_map={"w:0": tf.constant(1.0)})
