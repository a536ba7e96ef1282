# Logistic regression without an optimizer class
import numpy as np
import tensorflow as tf

X_data = np.array([[0.5, 1.2], [1.0, 0.3], [-0.7, -1.0], [-1.5, 0.2], [2.0, 1.0], [-0.3, -0.8]], dtype=np.float32)
y_data = np.array([[1], [1], [0], [0], [1], [0]], dtype=np.float32)
X = tf.constant(X_data, name='X')
y = tf.constant(y_data, name='y')
theta = tf.Variable(tf.zeros([2, 1]), name='theta')
bias = tf.Variable(0.0, name='bias')
lr = tf.constant(0.5, name='lr')
with tf.name_scope('model'):
    z = tf.matmul(X, theta) + bias
    p = tf.sigmoid(z, name='p')
with tf.name_scope('cost'):
    eps = 1e-7
    cost = -tf.reduce_mean(y * tf.log(p + eps) + (1 - y) * tf.log(1 - p + eps))
with tf.name_scope('update'):
    grads = tf.gradients(cost, [theta, bias])
    manual = tf.matmul(tf.transpose(X), p - y) / 6.0
    step = [tf.assign(theta, theta - lr * grads[0]), tf.assign(bias, bias - lr * grads[1])]
    train = tf.group(*step)
print(z, p, cost, grads, manual, train.name, sep='\n')
pred = tf.cast(p > 0.5, tf.float32)
acc = tf.reduce_mean(tf.cast(tf.equal(pred, y), tf.float32))
conf = tf.confusion_matrix(tf.squeeze(y, 1), tf.squeeze(pred, 1), num_classes=2)
print(pred, acc, conf, sep='\n')
before = len(tf.get_default_graph().get_operations())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    g, m = sess.run([grads[0], manual])
    print(g.ravel().round(4), m.ravel().round(4))
    for epoch in range(50):
        sess.run(train)
        if epoch % 10 == 0:
            print(epoch, '%.4f %.2f' % tuple(sess.run([cost, acc])))
    print(sess.run(theta).round(3).tolist(), '%.3f' % sess.run(bias))
    print(sess.run(conf))
    print(sess.run(tf.round(p)).ravel(), sess.run(p).round(2).ravel())
print(len(tf.get_default_graph().get_operations()) - before)
