import numpy as np
import tensorflow as tf
a = tf.Variable(tf.ones([4, 4]), name='a'); b = tf.matmul(a, a, name='b'); c = tf.reduce_sum(b, name='c')
meta = tf.RunMetadata(); opts = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(allow_growth=True))) as s:
    s.run(tf.global_variables_initializer())
    print(s.run(c, options=opts, run_metadata=meta))
    names = [n.node_name for d in meta.step_stats.dev_stats for n in d.node_stats]
    print(len(names) > 0, all(n.all_end_rel_micros >= 0 for d in meta.step_stats.dev_stats for n in d.node_stats))
    f = s.make_callable(c); print(f())
    h = s.partial_run_setup([c], []) if False else None
    print(isinstance(s, tf.Session), s.graph is tf.get_default_graph(), tf.get_default_session() is s)
print(tf.__version__.split('.')[0] in '12', tf.VERSION == tf.__version__)
flags = tf.app.flags
flags.DEFINE_integer('steps', 10, 'number of steps'); flags.DEFINE_string('name', 'x', ''); flags.DEFINE_float('rate', 0.1, ''); flags.DEFINE_boolean('go', True, '')
F = flags.FLAGS
print(F.steps, F.name, F.rate, F.go)
tf.logging.set_verbosity(tf.logging.ERROR); tf.logging.info('hidden')
tf.set_random_seed(0)
s = tf.InteractiveSession()
print(tf.constant(3).eval(), tf.random_normal([2]).eval().shape)
with tf.name_scope('x') as sc: print(sc, tf.contrib.framework.get_name_scope() if hasattr(tf, 'contrib') and False else '')
e = tf.placeholder(tf.float32, [None]); m = tf.reduce_mean(e); print(m.eval({e: [1., 2.]}), m.eval(feed_dict={e: [4.]}))
print(tf.convert_to_tensor(np.arange(3)), tf.convert_to_tensor([1., 2.]), tf.convert_to_tensor(np.float32(2)), tf.constant(np.eye(2)).dtype, tf.constant('s').dtype, tf.constant([True]).dtype, tf.constant(1 + 2j).dtype)
print(tf.float32.as_numpy_dtype, tf.as_dtype('int64'), tf.float32.name, tf.int32.size, tf.float32 == np.float32, tf.float32.is_floating, tf.float32.max, tf.DType is type(tf.float32))
class Foo(object):
    def __init__(self):
        with tf.variable_scope('foo', reuse=tf.AUTO_REUSE): self.v = tf.get_variable('v', [2], initializer=tf.zeros_initializer)
print(Foo().v is Foo().v, Foo().v)
with tf.variable_scope('s1') as vs: pass
with tf.variable_scope(vs, reuse=tf.AUTO_REUSE): z = tf.get_variable('z', [1]); print(z.name, tf.get_variable_scope().name, tf.get_variable_scope().reuse)
with tf.variable_scope('s1', default_name='d'): print(tf.get_variable('y', [1]).name, tf.constant(1).name)
with tf.variable_scope(None, default_name='d'): print(tf.get_variable('y', [1]).name)
with tf.variable_scope(None, default_name='d'): print(tf.get_variable('y', [1]).name)
t = tf.make_template('tmpl', lambda q: q * tf.get_variable('k', [], initializer=tf.ones_initializer())); r1, r2 = t(tf.constant(1.)), t(tf.constant(2.)); print(len([v for v in tf.global_variables() if 'tmpl' in v.name]))
o = tf.one_hot([0, 2], 3, on_value=5, off_value=-1); print(o.eval(), o.dtype, tf.one_hot([1], 2, axis=0).eval(), tf.one_hot([[0, 1]], 2).shape)
ema = tf.train.ExponentialMovingAverage(0.9); v = tf.Variable(1.0, name='v'); op = ema.apply([v]); tf.global_variables_initializer().run(); op.run(); v.load(2.0, s); op.run(); print('%.3f' % ema.average(v).eval(), ema.average_name(v))
print(tf.train.list_variables is not None)
s.close()
