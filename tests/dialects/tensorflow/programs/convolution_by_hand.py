import numpy as np
import tensorflow as tf

tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [None, 8, 8, 1])
y = tf.placeholder(tf.int32, [None])
keep = tf.placeholder(tf.float32)
w = tf.Variable(tf.truncated_normal([3, 3, 1, 4], stddev=0.1))
b = tf.Variable(tf.constant(0.1, shape=[4]))
c = tf.nn.relu(tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME") + b)
p = tf.nn.max_pool(c, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
f = tf.reshape(p, [-1, 64])
d = tf.nn.dropout(f, keep)
o = tf.matmul(d, tf.Variable(tf.zeros([64, 2])))
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=o))
op = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
print(c, p, f, d, o, loss)
R = np.random.RandomState(1)
fd = {x: R.rand(10, 8, 8, 1), y: R.randint(2, size=10), keep: 1.0}
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for _i in range(4):
        print(f"{s.run([loss, op], fd)[0]:.5f}")
    print(s.run(tf.shape(p), fd), f"{s.run(loss, {**fd, keep: 0.5}):.4f}")
print(len(tf.get_default_graph().get_operations()))
