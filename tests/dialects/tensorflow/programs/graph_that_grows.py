import tensorflow as tf

x = tf.Variable(1.0, name="x")
s = tf.Session()
s.run(x.initializer)
g = tf.get_default_graph()
for i in range(4):
    print(len(g.get_operations()), s.run(tf.add(x, float(i))))
n = len(g.get_operations())
for _ in range(3):
    s.run(x.assign(x * 2.0))
    print(len(g.get_operations()) - n)
for _ in range(2):
    tf.gradients(tf.square(x) + 1.0, x)
    print(len(g.get_operations()), g.get_operations()[-1].name)
print([o.name for o in g.get_operations()][4:12])
g.finalize()
try:
    s.run(tf.add(x, 1.0))
except RuntimeError as e:
    print(e)
