# Streaming metrics keep their state in local variables
import numpy as np
import tensorflow as tf

labels = tf.placeholder(tf.int64, [None], name='labels')
preds = tf.placeholder(tf.int64, [None], name='preds')
acc, acc_op = tf.metrics.accuracy(labels, preds, name='my_acc')
prec, prec_op = tf.metrics.precision(labels, preds)
rec, rec_op = tf.metrics.recall(labels, preds)
print(acc, acc_op)
print(tf.local_variables())
print(tf.get_collection(tf.GraphKeys.LOCAL_VARIABLES, scope='my_acc'))
print(tf.global_variables())
values = tf.placeholder(tf.float32, [None])
mean, mean_op = tf.metrics.mean(values)
mse, mse_op = tf.metrics.mean_squared_error(values, values + 0.5)
auc, auc_op = tf.metrics.auc(labels, tf.cast(preds, tf.float32))
with tf.Session() as sess:
    try:
        sess.run(acc_op, {labels: [1], preds: [1]})
    except tf.errors.FailedPreconditionError as e:
        print(type(e).__name__)
    sess.run(tf.local_variables_initializer())
    print(sess.run(acc))
    for l, p in [([1, 0, 1], [1, 1, 1]), ([0, 0], [0, 1])]:
        feed = {labels: l, preds: p}
        print(sess.run(acc_op, feed), sess.run(acc), *sess.run([prec_op, rec_op], feed))
    print(*sess.run([prec, rec]))
    for batch in ([1.0, 2.0], [6.0]):
        print(sess.run(mean_op, {values: batch}), sess.run(mse_op, {values: batch}))
    print(sess.run(mean))
    reset = tf.variables_initializer(tf.get_collection(tf.GraphKeys.LOCAL_VARIABLES, scope='my_acc'))
    sess.run(reset)
    print(sess.run(acc))
    total, count = tf.local_variables()[:2]
    print(total.name, count.name, sess.run([total, count]))
    print('%.4f' % sess.run(auc_op, {labels: [0, 1, 1], preds: [0, 0, 1]}))
