# Lines of courses and guides that lean on a detail each
import tensorflow as tf


# a loop inside a branch: its gradient from outside of the function
@tf.function
def power(x, y):
    if y == 0:
        return tf.ones_like(x)
    result = x
    for _ in tf.range(y - 1):
        result *= x
    return result


x = tf.constant(3.0)
for n in (0, 4):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = power(x, tf.constant(n))
    print(y, tape.gradient(y, x))

# numbers at even distances
print(tf.linspace(-2, 2, 5), tf.linspace(0.0, 1.0, 7))
print(tf.linspace([0.0, 1.0], [1.0, 3.0], 3), tf.linspace([0.0, 1.0], [1.0, 3.0], 3, axis=-1))

# scopes have a name, and can be entered again
with tf.name_scope("outer") as scope:
    inner = tf.name_scope("inner")
    with inner as s:
        print(scope, s, inner.name, tf.Variable(1.0, name="v").name)
print(tf.Module(name="net").name_scope.name)
try:
    tf.name_scope(3)
except ValueError as e:
    print(type(e).__name__, e)

# texts are joined, also in functions
a = tf.constant("a")
print(a + a, a + "b", tf.add(["x"], ["y"]))
print(tf.function(lambda text: (text + "z", tf.equal(text, "a"), tf.not_equal(text, ["a", "b"])))(a))

# lambdas are rewritten as functions are
print(tf.function(lambda v: 3 if v > 0 else 4)(tf.constant(1)), tf.function(lambda w: float(w))(tf.constant(2)))
try:
    tf.function(lambda d: 1 // d)(tf.constant(0))
except tf.errors.InvalidArgumentError as e:
    print(str(e).rsplit("_", 1)[0].splitlines()[-1])

# shapes made by hand, with open sizes or without a rank
unknown, rows, whole = tf.TensorShape(None), tf.TensorShape([None, 2]), tf.TensorShape([2, 3])
print(unknown, repr(unknown), unknown.rank, rows, repr(rows), rows[0], rows.as_list(), rows.is_fully_defined())
print(rows.is_compatible_with([3, 2]), rows.merge_with([3, None]), rows.concatenate([4]), whole.concatenate([1]))
print(whole, repr(whole), whole.num_elements(), whole == [2, 3], whole[1:], whole.dims, tf.TensorShape(3))
print(isinstance(rows, tf.TensorShape), isinstance(tf.ones([2]).shape, tf.TensorShape))

# rounding ends a chain, signs are flat
v = tf.Variable([1.4, -2.6])
for step in (tf.round, tf.floor, tf.math.ceil, tf.math.rint, tf.sign):
    with tf.GradientTape() as tape:
        y = step(v) * 2.0
    print(tape.gradient(y, v))

# exp, log, tanh and the logistic function to the last bit: packets of eight, and what is left over
many = tf.reshape(tf.range(-60.0, 63.0), [3, 41]) / 7.0
for curve in (tf.exp, tf.tanh, tf.sigmoid, lambda v: tf.math.log(tf.abs(v) + 0.25)):
    with tf.GradientTape() as tape:
        tape.watch(many)
        y = curve(many)
    print(y.numpy().view("int32").sum(), curve(many[0, :5]), curve(tf.constant([0.0, -110.0, 95.0])).numpy())

# sums and means in the order of the real kernels
wide = tf.constant([[((i * 37 + j * 11) % 101) / 7.0 - 6.3 for j in range(300)] for i in range(20)])
for size in (5, 10, 17, 64, 300):
    part = wide[:, :size]
    print(*(tf.reduce_sum(part, axis).numpy().sum(dtype="float64") for axis in (None, 0, 1)))
    print(tf.reduce_mean(part), tf.function(tf.reduce_mean)(part, -1)[:2], tf.reduce_mean(part, 0, True)[0, :3])

# a trace to look at, called by the name of its spec
plus = tf.function(lambda x, flag=True: x + 1.0 if flag else x)
traced = plus.get_concrete_function(tf.TensorSpec([None], tf.float32, name="rows"), flag=False)
print(traced.function_type, traced(rows=tf.constant([2.0])))

# ops on numbers with a fraction refuse others
for curve in (tf.nn.softmax, tf.nn.log_softmax, tf.nn.softplus, tf.nn.elu, tf.nn.selu, tf.math.erf, tf.sqrt):
    try:
        print(curve(tf.constant([1, 2])))
    except tf.errors.InvalidArgumentError as e:
        print(e)
