# Which optimizer gets to the minimum first?
import numpy as np
import tensorflow as tf

names = ['GradientDescent', 'Momentum', 'Adagrad', 'Adadelta', 'RMSProp', 'Adam', 'Ftrl']
results = {}
for name in names:
    tf.reset_default_graph()
    x = tf.Variable([5.0, -3.0], name='x')
    loss = tf.reduce_sum(x ** 2 * [1.0, 10.0])
    opt = {'GradientDescent': lambda: tf.train.GradientDescentOptimizer(0.05),
           'Momentum': lambda: tf.train.MomentumOptimizer(0.01, 0.9),
           'Adagrad': lambda: tf.train.AdagradOptimizer(0.5),
           'Adadelta': lambda: tf.train.AdadeltaOptimizer(1.0),
           'RMSProp': lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5),
           'Adam': lambda: tf.train.AdamOptimizer(0.3),
           'Ftrl': lambda: tf.train.FtrlOptimizer(0.5)}[name]()
    step = tf.train.get_or_create_global_step()
    train = opt.minimize(loss, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        curve = []
        for i in range(15):
            _, l = sess.run([train, loss])
            curve.append(float(l))
        print(name, opt.get_slot_names(), sess.run(step))
        print('  ', ['%.3f' % c for c in curve[::5]], sess.run(x).round(4))
        results[name] = curve[-1]
    print('  ', [v.name for v in tf.global_variables()])
print(train.name, opt.get_name())

tf.reset_default_graph()
w = tf.Variable(2.0)
loss = tf.square(w)
opt = tf.train.GradientDescentOptimizer(learning_rate=tf.train.exponential_decay(0.1, 0, 10, 0.9))
gvs = opt.compute_gradients(loss, var_list=[w])
print(gvs)
capped = [(tf.clip_by_value(g, -1., 1.), v) for g, v in gvs]
train = opt.apply_gradients(capped)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print(sess.run([gvs[0][0], capped[0][0]]), end=' ')
        sess.run(train)
        print(sess.run(w))
