# Exclusive or with a hidden layer and fixed initial weights.  # ruff: noqa: UP031
import numpy as np
import tensorflow as tf

data = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float32)
target = np.array([[0], [1], [1], [0]], dtype=np.float32)
x = tf.placeholder(tf.float32, [None, 2])
t = tf.placeholder("float", [None, 1])
w1 = tf.Variable(np.array([[1.0, -1.0, 0.5], [-0.8, 1.2, 0.3]], dtype=np.float32), name="w1")
b1 = tf.Variable(tf.zeros([3]), name="b1")
w2 = tf.get_variable("w2", [3, 1], initializer=tf.constant_initializer(0.7))
b2 = tf.get_variable("b2", initializer=tf.zeros([1]))
hidden = tf.nn.sigmoid(tf.matmul(x, w1) + b1)
logits = tf.matmul(hidden, w2) + b2
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=t, logits=logits))
optimizer = tf.train.AdamOptimizer(0.1)
train = optimizer.minimize(loss)
right = tf.equal(tf.cast(logits > 0, tf.float32), t)
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
print(hidden, logits, right)
print([v.name for v in tf.trainable_variables()], len(tf.global_variables()))
sess = tf.InteractiveSession()
tf.global_variables_initializer().run()
for i in range(150):
    train.run({x: data, t: target})
    if i % 50 == 49:
        print(i, "%.3f" % loss.eval({x: data, t: target}), accuracy.eval({x: data, t: target}))
print(optimizer.get_slot_names(), optimizer.get_slot(b2, "m").shape)
sess.close()
