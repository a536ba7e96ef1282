# Lines of courses and guides that lean on a detail each
import tensorflow as tf


# a loop inside a branch: its gradient from outside of the function
@tf.function
def power(x, y):
    if y == 0:
        return tf.ones_like(x)
    result = x
    for _ in tf.range(y - 1):
        result *= x
    return result


x = tf.constant(3.0)
for n in (0, 4):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = power(x, tf.constant(n))
    print(y, tape.gradient(y, x))
