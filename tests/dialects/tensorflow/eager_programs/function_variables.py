# Variables that functions read, write and make; gradients through functions
import tensorflow as tf
class Counter:
    def __init__(self):
        self.v = None
    @tf.function
    def __call__(self, x):
        print('tracing')
        if self.v is None:
            self.v = tf.Variable(tf.zeros([]), name='c')
        self.v.assign_add(x)
        return self.v
c = Counter()
print(c(tf.constant(1.0)))
print(c(tf.constant(2.0)).numpy())
@tf.function
def bad(x):
    v = tf.Variable(1.0)
    return x + v
try:
    bad(tf.constant(1.0))
except ValueError as e:
    print(type(e).__name__, str(e).split('\n')[0])
a = tf.Variable(1.0)
b = tf.Variable(2.0)
@tf.function
def swap():
    t = a.read_value()
    a.assign(b)
    b.assign(t)
    return a + b
print(swap(), a.numpy(), b.numpy())
@tf.function
def loop(n):
    for i in tf.range(n):
        a.assign_add(1.0)
        if a > 5.0:
            b.assign(a * 10.0)
    return b.read_value()
print(loop(tf.constant(6)).numpy(), a.numpy(), b.numpy())
@tf.function
def train(x):
    with tf.GradientTape() as tape:
        y = a * x
        loss = y * y
    g = tape.gradient(loss, [a])
    a.assign_sub(0.1 * g[0])
    return loss, g
print(train(tf.constant(2.0)))
print(a.numpy())
@tf.function
def grads(x):
    return tf.gradients(x * x * 3.0, x)
print(grads(tf.constant(2.0)))
x = tf.constant(3.0)
@tf.function
def cube(x):
    return x ** 3
with tf.GradientTape() as t2:
    t2.watch(x)
    with tf.GradientTape() as t1:
        t1.watch(x)
        y = cube(x)
    d = t1.gradient(y, x)
print(d, t2.gradient(d, x))
with tf.GradientTape(persistent=True) as t:
    z = loop(tf.constant(1)) * a
print(t.gradient(z, a), [v.name for v in t.watched_variables()])
