import numpy as np
import tensorflow as tf
# partial shapes, batch norm, feeding intermediate, several outputs, name of gradients
x = tf.placeholder(tf.float32, [None, 4], name='x'); y = tf.placeholder(tf.int32, [None], name='y')
with tf.variable_scope('layer1'):
    h = tf.layers.dense(x, 8, tf.nn.relu, kernel_initializer=tf.ones_initializer(), name='fc')
logits = tf.layers.dense(h, 3, kernel_initializer=tf.constant_initializer(0.1))
prob = tf.nn.softmax(logits, name='prob')
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
reg = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if 'kernel' in v.name]) * 0.01
total = tf.identity(loss + reg, name='total')
opt = tf.train.MomentumOptimizer(0.1, 0.9)
step = tf.Variable(0, trainable=False, name='step')
train = opt.minimize(total, global_step=step, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='layer1'))
acc = tf.reduce_mean(tf.to_float(tf.nn.in_top_k(logits, y, 1)))
print(logits, prob, loss, total, train.name)
print([v.name for v in tf.global_variables()], opt.get_slot(tf.trainable_variables()[0], 'momentum').name)
rs = np.random.RandomState(0); X = rs.rand(6, 4); Y = rs.randint(0, 3, 6)
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for i in range(3):
        l, _, s = sess.run([total, train, step], {x: X, y: Y}); print('%.5f' % l, int(sess.run(step)))
    print(sess.run(acc, {x: X, y: Y}), sess.run(prob, {h: np.ones((1, 8))}).round(4))
    print(sess.run(tf.trainable_variables()[0])[0].round(5))
    print({v.name: v.eval().shape for v in tf.trainable_variables()})
    print(sess.run(tf.gradients(total, x)[0], {x: X[:1], y: Y[:1]}).round(5))
q = tf.FIFOQueue(3, tf.float32); enq = q.enqueue_many([[1., 2., 3.]]); deq = q.dequeue(); size = q.size()
with tf.Session() as sess:
    sess.run(enq); print(sess.run(size), sess.run(deq), sess.run(size))
ds = tf.data.Dataset.from_tensor_slices({'a': [1, 2], 'b': [[1., 2.], [3., 4.]]}).repeat().batch(3)
it = ds.make_initializable_iterator(); n = it.get_next()
with tf.Session() as sess:
    sess.run(it.initializer); r = sess.run(n); print(sorted(r), r['a'], r['b'].shape)
gen = tf.data.Dataset.from_generator(lambda: iter([(1, [1.]), (2, [2.])]), (tf.int32, tf.float32), ([], [1])).make_one_shot_iterator().get_next()
with tf.Session() as sess: print(sess.run(gen), sess.run(gen))
w = tf.Variable(1.0, name='w')
with tf.control_dependencies([w.assign_add(1.0)]): r = w.read_value()
c = tf.cond(w > 1.5, lambda: w * 10.0, lambda: w * 100.0)
with tf.Session() as sess:
    sess.run(w.initializer); print(sess.run(c), sess.run(r), sess.run(c)); print(sess.run([w, r])[1])
a = tf.Variable([1., 2.]); b = tf.Variable(a.initialized_value() * 2.0)
with tf.Session() as sess: sess.run(tf.global_variables_initializer()); print(sess.run(b), tf.get_default_graph().get_tensor_by_name('prob:0').shape)
