import numpy as np
import tensorflow as tf

tf.set_random_seed(1)


def layer(x, n, name, act=None):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [x.shape[1], n], initializer=tf.truncated_normal_initializer(stddev=0.1))
        b = tf.get_variable("b", [n], initializer=tf.constant_initializer(0.1))
        y = tf.nn.bias_add(tf.matmul(x, w), b)
        return act(y) if act else y


x = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.int64, [None])
h = layer(x, 16, "h1", tf.nn.relu)
h = layer(h, 8, "h2", tf.tanh)
o = layer(h, 3, "out")
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=o))
n0 = len(tf.get_default_graph().get_operations())
opt = tf.train.AdamOptimizer(0.01)
gv = opt.compute_gradients(loss)
n1 = len(tf.get_default_graph().get_operations())
train = opt.apply_gradients(gv)
n2 = len(tf.get_default_graph().get_operations())
print(n0, n1, n2)
print([(g.name, v.name) for g, v in gv])
print(sorted(opt.get_slot_names()), opt.get_slot(tf.trainable_variables()[0], "m"))
print([v.name for v in tf.global_variables()])
R = np.random.RandomState(2)
X = R.rand(30, 10)
Y = R.randint(3, size=30)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for i in range(50):
        cost, _ = s.run([loss, train], {x: X, y: Y})
        if i % 10 == 0:
            print(i, f"{cost:.4f}")
    pred = s.run(tf.argmax(o, 1), {x: X[:5]})
    print(pred.dtype, pred.shape)
