# Details of functions: signatures, nested results, random numbers, functions of the program
import tensorflow as tf
v1, v2 = tf.Variable(1.0), tf.Variable(2.0)
@tf.function
def vv(v):
    print('var', v)
    return v + 1
print(vv(v1), vv(v2), vv(v1))
@tf.function
def inner(x):
    print('inner', x)
    return x + 1
@tf.function
def outer(x):
    return inner(x) * inner(x + 1)
print(outer(tf.constant(1)))
class M:
    @tf.function
    def f(self, x):
        print('M.f', x)
        return x
m, k = M(), M()
m.f(tf.constant(1)); m.f(tf.constant(2)); k.f(tf.constant(1))
print(repr(v1), v1.name, v1.shape)
@tf.function
def show(x):
    print(v1, x, repr(x), v1 + 1)
    print(x.shape, x.dtype, x.op.type, x.graph is tf.compat.v1.get_default_graph(), tf.executing_eagerly(), tf.inside_function() if hasattr(tf, 'inside_function') else '')
    with tf.init_scope():
        print(tf.executing_eagerly())
    try:
        print(v1.numpy())
    except Exception as e:
        print(type(e).__name__, e)
    a = v1.assign(3.0)
    print(a)
    return a
print(show(tf.constant([1.0])))
@tf.function
def rnd():
    return tf.random.normal([2]), tf.random.uniform([2])
tf.random.set_seed(1)
print(rnd()); print(rnd())
tf.random.set_seed(1)
print(rnd())
tf.random.set_seed(5)
@tf.function
def rnd2():
    return tf.random.uniform([1], seed=3), tf.random.shuffle(tf.range(5)), tf.random.normal([1])
print(rnd2()); print(rnd2())
cf = inner.get_concrete_function(tf.constant(3))
print(cf(tf.constant(4)), cf.output_shapes, cf.output_dtypes, cf.inputs, cf.graph.name)
print(cf(x=tf.constant(9)))
print(inner.get_concrete_function(tf.TensorSpec([None], tf.int32, name='q')).inputs)
print(tf.function(inner.python_function).get_concrete_function(tf.TensorSpec([None], tf.int32)).structured_input_signature)
print(inner.input_signature, inner.function_spec if 0 else '')
@tf.function(input_signature=[tf.TensorSpec([], tf.float32, name='aa'), {'k': tf.TensorSpec([None], tf.float32)}])
def sig(a, d):
    print(a, d)
    return a + d['k']
print(sig(1.0, {'k': [1.0, 2.0]}))
print(sig.input_signature)
print(sig.pretty_printed_concrete_signatures())
@tf.function
def star(*args, **kw):
    print(args, sorted(kw.items()))
    return sum(args)
print(star(tf.constant(1), tf.constant(2), k=tf.constant(3)))
print(star(1, 2))
@tf.function
def kwo(x, *, scale=2.0):
    return x * scale
print(kwo(tf.constant(2.0)), kwo(tf.constant(2.0), scale=3.0), kwo.experimental_get_tracing_count())
@tf.function
def ret():
    return [tf.constant(1), (2, {'a': tf.constant([1.0])})], None, 5, 'x'
print(ret())
tf.config.run_functions_eagerly(True)
print(inner(tf.constant(1)), tf.config.functions_run_eagerly())
tf.config.run_functions_eagerly(False)
@tf.function(jit_compile=True)
def jit(x):
    return tf.reduce_sum(x * 2)
print(jit(tf.constant([1.0, 2.0])))
@tf.py_function(Tout=tf.float32) if False else (lambda f: f)
def plain(x):
    return x
def npf(a):
    print('np', type(a).__name__, a)
    return a * 2
def pyf(a):
    print('py', type(a).__name__, a.numpy())
    return a * 3
@tf.function
def hosts(x):
    y = tf.numpy_function(npf, [x], tf.float32)
    z = tf.py_function(pyf, [x], tf.float32)
    return y + z
print(hosts(tf.constant(2.0))); print(hosts(tf.constant(3.0)))
print(tf.numpy_function(npf, [tf.constant(1.0)], tf.float32), tf.py_function(pyf, [tf.constant(1.0)], Tout=tf.float32))
x = tf.Variable(3.0)
with tf.GradientTape() as t:
    y = tf.py_function(lambda a: a * a, [x], tf.float32)
print(t.gradient(y, x))
@tf.custom_gradient
def clip(x):
    def grad(dy):
        return dy * 100.0
    return x * 2, grad
with tf.GradientTape() as t:
    y = clip(x)
print(y, t.gradient(y, x))
@tf.function
def cg(a):
    with tf.GradientTape() as t:
        t.watch(a)
        b = clip(a)
    return t.gradient(b, a)
print(cg(tf.constant(1.0)))
g = tf.Graph()
with g.as_default():
    try:
        tf.constant(1) + tf.identity(v1)
    except Exception as e:
        print(type(e).__name__, str(e)[:200])
