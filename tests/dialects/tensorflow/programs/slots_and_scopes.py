import tensorflow as tf
def show(title, f):
    tf.reset_default_graph()
    f()
    print(title, [v.name for v in tf.global_variables()])
def model():
    w = tf.get_variable('w', initializer=[1.0, 2.0])
    return tf.reduce_sum(tf.square(w))
def a():
    with tf.variable_scope('net'):
        loss = model()
        tf.train.AdamOptimizer().minimize(loss)
show('all in', a)
def b():
    with tf.variable_scope('net'):
        loss = model()
    with tf.name_scope('train'):
        tf.train.AdamOptimizer().minimize(loss)
show('name scope', b)
def c():
    loss = model()
    tf.train.AdamOptimizer().minimize(loss)
    tf.train.AdamOptimizer().minimize(loss)
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
show('twice', c)
def d():
    loss = model()
    with tf.variable_scope('opt'):
        tf.train.RMSPropOptimizer(0.1, momentum=0.5).minimize(loss)
    with tf.variable_scope('opt'):
        tf.train.AdamOptimizer(name='mine').minimize(loss, global_step=tf.train.get_or_create_global_step())
show('opt', d)
def e():
    with tf.variable_scope('net'), tf.name_scope('inner'):
        loss = model()
        v = tf.Variable(1.0, name='v')
        tf.train.AdagradOptimizer(0.1).minimize(loss * v)
show('both', e)
def f():
    with tf.variable_scope('net') as scope:
        loss = model()
    with tf.variable_scope(scope, reuse=True):
        tf.train.AdagradOptimizer(0.1).minimize(loss)
try:
    show('reuse', f)
except ValueError as err:
    print(str(err)[:80])
def g():
    w = tf.Variable(1.0, name='w')
    ema = tf.train.ExponentialMovingAverage(0.9)
    with tf.variable_scope('avg'):
        op = ema.apply([w])
show('ema', g)
