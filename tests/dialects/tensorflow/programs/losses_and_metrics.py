import numpy as np
import tensorflow as tf
y = tf.constant([1., 0., 1.]); p = tf.constant([0.9, 0.2, 0.4])
print(tf.losses.mean_squared_error(y, p), tf.losses.log_loss(y, p))
ls = [tf.losses.mean_squared_error(y, p), tf.losses.absolute_difference(y, p), tf.losses.log_loss(y, p), tf.losses.huber_loss(y, p), tf.losses.hinge_loss(y, p),
      tf.losses.sigmoid_cross_entropy(y, p), tf.losses.softmax_cross_entropy([[0., 1.], [1., 0.]], [[0.2, 0.5], [0.1, 0.3]]),
      tf.losses.sparse_softmax_cross_entropy([1, 0], [[0.2, 0.5], [0.1, 0.3]]), tf.losses.cosine_distance(y, p, axis=0),
      tf.losses.mean_squared_error(y, p, weights=[1., 0., 2.]), tf.losses.mean_squared_error(y, p, reduction=tf.losses.Reduction.SUM)]
print(len(tf.losses.get_losses()), tf.losses.get_total_loss())
acc, up = tf.metrics.accuracy(labels=tf.constant([1, 0, 1, 1]), predictions=tf.constant([1, 0, 0, 1]))
print(acc, up)
m, mu = tf.metrics.mean(p)
pr, pru = tf.metrics.precision([1, 0, 1, 1], [1, 1, 0, 1])
rc, rcu = tf.metrics.recall([1, 0, 1, 1], [1, 1, 0, 1])
mse, mseu = tf.metrics.mean_squared_error(y, p)
print([v.name for v in tf.local_variables()])
nn = [tf.nn.softmax_cross_entropy_with_logits(labels=[[0., 1.]], logits=[[1., 2.]]), tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[1., 2.]]),
      tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.], logits=[2.]), tf.nn.weighted_cross_entropy_with_logits(labels=[1.], logits=[2.], pos_weight=2.), tf.nn.l2_loss([3., 4.])]
top = tf.nn.in_top_k(predictions=[[0.1, 0.8, 0.1], [0.3, 0.2, 0.5]], targets=[1, 0], k=2)
vals, idx = tf.nn.top_k([[1., 5., 3.]], 2)
mean, var = tf.nn.moments(tf.constant([[1., 2.], [3., 6.]]), axes=[0])
with tf.Session() as s:
    s.run(tf.local_variables_initializer())
    for l in ls: print('%.5f' % s.run(l))
    print('%.5f' % s.run(tf.losses.get_total_loss()))
    print(s.run(acc), s.run(up), s.run(acc), s.run(up))
    s.run([mu, pru, rcu, mseu]); print(s.run([m, pr, rc, mse]))
    print([n.round(4) for n in s.run(nn)], s.run(top), s.run([vals, idx]), s.run([mean, var]))
    print(s.run(tf.confusion_matrix([1, 2, 1], [1, 1, 2])))
    print(s.run([tf.nn.l2_normalize([3., 4.], 0), tf.nn.log_softmax([1., 2.]), tf.nn.elu([-1., 1.]), tf.nn.selu([-1., 1.]), tf.nn.leaky_relu([-1., 1.]), tf.nn.relu6([7.]), tf.nn.softsign([1.]), tf.nn.crelu([1., -1.])]))
    print(s.run(tf.nn.embedding_lookup(tf.constant([[1., 2.], [3., 4.]]), [1, 0, 1])), s.run(tf.nn.bias_add(tf.ones([1, 2]), [1., 2.])), s.run(tf.nn.xw_plus_b(tf.ones([1, 2]), tf.ones([2, 1]), [3.])))
    print(s.run(tf.nn.zero_fraction([0., 1.])), s.run(tf.nn.batch_normalization(tf.constant([1., 3.]), 2., 1., 0., 1., 1e-3)))
