import random
import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
y = x
for k in range(random.randint(3, 9)):
    y = tf.square(y) if k % 2 else tf.abs(y)

# How many ops of the type Square does the graph have this time?
count = len([op for op in tf.get_default_graph().get_operations() if op.type == "Square"])

print(count)
