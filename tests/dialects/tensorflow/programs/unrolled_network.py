import numpy as np
import tensorflow as tf

tf.set_random_seed(0)
T, B, D, H = 3, 2, 4, 5
x = tf.placeholder(tf.float32, [B, T, D])
y = tf.placeholder(tf.float32, [B, H])
wx = tf.get_variable("wx", [D, H])
wh = tf.get_variable("wh", [H, H], initializer=tf.orthogonal_initializer())
b = tf.get_variable("b", [H], initializer=tf.zeros_initializer())
h = tf.zeros([B, H])
for t, xt in enumerate(tf.unstack(x, axis=1)):
    h = tf.tanh(tf.matmul(xt, wx) + tf.matmul(h, wh) + b, name=f"h{t}")
loss = tf.losses.mean_squared_error(y, h)
op = tf.train.RMSPropOptimizer(0.01).minimize(loss)
print(h, loss, len(tf.trainable_variables()), tf.losses.get_total_loss(), op.name)
R = np.random.RandomState(0)
f = {x: R.rand(B, T, D), y: R.rand(B, H)}
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for _i in range(5):
        print(f"{s.run([loss, op], f)[0]:.5f}")
print(len(tf.get_default_graph().get_operations()))
