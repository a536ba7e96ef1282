# Several steps of every optimiser on one bowl, with a decaying rate.  # ruff: noqa: UP031
import numpy as np
import tensorflow as tf

for make in (
    lambda r: tf.train.GradientDescentOptimizer(r),
    lambda r: tf.train.MomentumOptimizer(r, 0.8),
    lambda r: tf.train.MomentumOptimizer(r, 0.8, use_nesterov=True),
    lambda r: tf.train.AdagradOptimizer(r),
    lambda r: tf.train.RMSPropOptimizer(r, momentum=0.5),
    lambda r: tf.train.AdamOptimizer(r),
):
    tf.reset_default_graph()
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.2, step, 3, 0.9)
    w = tf.Variable(np.array([[2.0, -1.0]], dtype=np.float32), name="w")
    loss = tf.reduce_sum(w * w * [[1.0, 3.0]])
    optimizer = make(rate)
    pairs = optimizer.compute_gradients(loss)
    clipped = [(tf.clip_by_value(g, -2.0, 2.0), v) for g, v in pairs]
    train = optimizer.apply_gradients(clipped, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            sess.run(train)
        print(
            optimizer.get_name(),
            sess.run(w).round(4),
            sess.run(step),
            "%.4f" % sess.run(rate),
            optimizer.get_slot_names(),
        )
