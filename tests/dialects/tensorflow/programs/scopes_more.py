# variable_scope and name_scope side by side
import tensorflow as tf

with tf.name_scope('my_name_scope'):
    v1 = tf.get_variable('var1', [1], dtype=tf.float32)
    v2 = tf.Variable(1, name='var2', dtype=tf.float32)
    a = tf.add(v1, v2)
    print(v1.name, v2.name, a.name)
with tf.variable_scope('my_variable_scope'):
    v1 = tf.get_variable('var1', [1], dtype=tf.float32)
    v2 = tf.Variable(1, name='var2', dtype=tf.float32)
    a = tf.add(v1, v2)
    print(v1.name, v2.name, a.name)
with tf.variable_scope('foo') as foo_scope:
    assert foo_scope.name == 'foo'
    with tf.variable_scope('bar'):
        with tf.variable_scope('baz') as other:
            print(other.name, other.original_name_scope, other.reuse)
            with tf.variable_scope(foo_scope) as again:
                print(again.name, tf.get_variable('v', [1]).name, tf.constant(0).name)
with tf.variable_scope(foo_scope, reuse=True):
    print(tf.get_variable('v').name, tf.get_variable_scope().reuse)
print(repr(tf.get_variable_scope().name), tf.get_variable_scope().reuse)
with tf.variable_scope('x') as s, tf.name_scope(s.original_name_scope):
    print(tf.constant(1.0, name='k').name)
with tf.variable_scope('x'):
    print(tf.constant(1.0, name='k').name)
with tf.variable_scope(None, default_name='layer'):
    print(tf.get_variable('w', [2]).name)
with tf.variable_scope(None, default_name='layer'):
    print(tf.get_variable('w', [2]).name)
with tf.variable_scope('reg', regularizer=lambda t: 0.1 * tf.nn.l2_loss(t)):
    w = tf.get_variable('w', initializer=[3.0, 4.0])
print(len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)))
template = tf.make_template('tpl', lambda t: t * tf.get_variable('k', initializer=2.0))
print(template(tf.constant(1.0)).name, template(tf.constant(2.0)).name)
print([v.name for v in tf.global_variables()])
print([v.name for v in tf.trainable_variables('foo')], tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope='my_'))
with tf.variable_scope('part', reuse=True):
    try:
        tf.get_variable('w', [1])
    except ValueError as e:
        print(str(e).split('\n')[0])
with tf.variable_scope('keep', dtype=tf.float64):
    print(tf.get_variable('d', [1]))
try:
    tf.get_variable('bad', [2], initializer=tf.constant([1.0, 2.0]))
except ValueError as e:
    print(e)
try:
    tf.variable_scope('a', reuse=5).__enter__()
except Exception as e:
    print(type(e).__name__, e)
try:
    with tf.name_scope('has space'):
        pass
except ValueError as e:
    print(e)
try:
    tf.constant(1, name='bad name!')
except ValueError as e:
    print(e)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))))
