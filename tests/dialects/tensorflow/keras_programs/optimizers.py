import numpy as np, tensorflow as tf
O = tf.keras.optimizers
opts = [O.SGD(0.1), O.SGD(0.1, momentum=0.9), O.SGD(0.1, momentum=0.9, nesterov=True), O.Adam(0.1), O.Adam(0.1, amsgrad=True), O.AdamW(0.1), O.RMSprop(0.1), O.RMSprop(0.1, momentum=0.5, centered=True), O.Adagrad(0.1), O.Adadelta(1.0), O.Adamax(0.1), O.Nadam(0.1), O.Ftrl(0.1), O.Ftrl(0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.01), O.Lion(0.01), O.SGD(0.1, clipnorm=0.5), O.Adam(0.1, clipvalue=0.1), O.SGD(0.1, global_clipnorm=0.3, weight_decay=0.01)]
for o in opts:
    v = tf.Variable([1.0, -2.0, 3.0], name="v"); b = tf.Variable(0.5, name="b")
    for i in range(5):
        with tf.GradientTape() as t:
            loss = tf.reduce_sum(v * v) + tf.sin(b) * v[0]
        o.apply_gradients(zip(t.gradient(loss, [v, b]), [v, b]))
    print(type(o).__name__, v.numpy().round(4), b.numpy().round(4), o.iterations.numpy(), float(o.learning_rate))
    print([ (x.name, x.path, tuple(x.shape)) for x in o.variables])
for s in [O.schedules.ExponentialDecay(0.1, 10, 0.9), O.schedules.ExponentialDecay(0.1, 10, 0.9, staircase=True), O.schedules.InverseTimeDecay(0.1, 5, 0.5), O.schedules.PiecewiseConstantDecay([3, 6], [1.0, 0.5, 0.1]), O.schedules.PolynomialDecay(0.1, 10, power=2.0), O.schedules.CosineDecay(0.1, 10), O.schedules.CosineDecay(0.0, 10, warmup_target=0.2, warmup_steps=4), O.schedules.CosineDecayRestarts(0.1, 3)]:
    print(type(s).__name__, [round(float(s(i)), 6) for i in range(0, 12, 2)])
o = O.SGD(O.schedules.ExponentialDecay(0.1, 2, 0.5)); v = tf.Variable(1.0)
for i in range(4): o.apply_gradients([(tf.constant(1.0), v)]); print(round(float(v.numpy()), 5), o.learning_rate)
print(O.get('adam').get_config()); print(O.SGD.from_config(O.SGD(0.3, momentum=0.1).get_config()).momentum)
o = O.Adam(0.01); o.learning_rate = 0.5; print(o.learning_rate, repr(o.learning_rate.numpy()))
o.learning_rate.assign(0.25); print(o.learning_rate.numpy(), o.get_config()['learning_rate'])
