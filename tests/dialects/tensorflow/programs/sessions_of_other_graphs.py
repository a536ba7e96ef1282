"""What belongs to another graph is neither evaluated nor differentiated."""

import tensorflow as tf

first, second = tf.Graph(), tf.Graph()
with first.as_default():
    a = tf.constant(1.0, name="a")
    v = tf.Variable(2.0)
with second.as_default():
    b = tf.constant(1.0, name="b")
    nothing = tf.no_op(name="nothing")
one, two = tf.Session(graph=first), tf.Session(graph=second)
with one.as_default(), first.as_default():
    for attempt in (
        lambda: b.eval(),
        lambda: nothing.run(),
        lambda: b.eval(session=one),
        lambda: nothing.run(session=one),
        lambda: a.eval(session=two),
        lambda: v.initializer.run(),
        lambda: v.eval(),
        lambda: tf.gradients(a, b),
        lambda: tf.gradients(a * 2.0, a),
    ):
        try:
            print(attempt())
        except ValueError as error:
            print(type(error).__name__, str(error).split(" (graphs")[0])
