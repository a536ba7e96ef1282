import tensorflow as tf

x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x**3
    slope = inner.gradient(y, x)
print(slope, outer.gradient(slope, x))

# a tape only knows what happened while it ran
with tf.GradientTape() as outer:
    y = x * x
    with tf.GradientTape(persistent=True) as inner:
        z = y * x
    print(inner.gradient(z, x), inner.gradient(z, y))
print(outer.gradient(z, x))

# an assignment between two uses
with tf.GradientTape() as tape:
    y = x * 2
    x.assign(5.0)
    y = y * x
print(tape.gradient(y, x))
print(x.assign_add(1.0) + 1, repr(x.assign_sub(0.5)))

w = tf.Variable([[1.0], [2.0]], name="weights")
b = tf.Variable([0.5])
points = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
wanted = tf.constant([[1.0], [2.0], [3.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((points @ w + b - wanted) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.01 * dw)
    b.assign_sub(0.01 * db)
    print("%.3f" % loss, w.numpy().ravel().round(4), b.numpy().round(4))

with tf.GradientTape() as tape:
    scores = points @ tf.concat([w, w * 2], 1)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1, 0], logits=scores))
print("%.4f" % loss, tape.gradient(loss, w).numpy().round(4).tolist())
with tf.GradientTape() as tape:
    total = tf.reduce_sum(tf.maximum(x, 2.0) + tf.gather(w, [0, 0]) + tf.sigmoid(w) * tf.tanh(w) + 1 / tf.exp(-w))
print([None if g is None else g.numpy().round(3).tolist() for g in tape.gradient(total, [x, w, b])])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(points)
    squares = points * points
print(tape.gradient(squares, points).numpy().tolist(), tape.gradient(squares, b))
print(tape.jacobian(squares, points).shape)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * w
print([v.name for v in tape.watched_variables()])
