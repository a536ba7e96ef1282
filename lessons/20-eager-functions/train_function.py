import tensorflow as tf

w = tf.Variable(tf.fill([8, 1], 0.1))
x = tf.ones([4, 8])

@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
    w.assign_sub(0.05 * tape.gradient(loss, w))
    return loss

for _ in range(40):
    loss = step()
print("%.4f" % loss.numpy())
