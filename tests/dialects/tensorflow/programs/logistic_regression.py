import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
X = rng.randn(60, 2).astype(np.float32)
Y = (X[:, :1] + 2 * X[:, 1:] > 0).astype(np.float32)
x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
with tf.name_scope("model"):
    w = tf.Variable(tf.zeros([2, 1]), name="w")
    b = tf.Variable(tf.zeros([1]), name="b")
    logits = tf.add(tf.matmul(x, w), b, name="logits")
    p = tf.sigmoid(logits, name="p")
with tf.name_scope("loss"):
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
with tf.name_scope("train"):
    op = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
acc = tf.reduce_mean(tf.cast(tf.equal(tf.round(p), y), tf.float32))
print(logits, p, loss, op.name, acc)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for i in range(20):
        _, cost = s.run([op, loss], {x: X, y: Y})
        if i % 5 == 0:
            print(i, f"{cost:.4f}")
    print(f"{s.run(acc, {x: X, y: Y}):.4f}")
    print(np.round(s.run(w), 3).ravel(), np.round(s.run(b), 3))
print(len(tf.get_default_graph().get_operations()))
for o in tf.get_default_graph().get_operations():
    print(o.name, o.type)
