import tensorflow as tf

count = tf.Variable(0, name="count")
add_one = tf.assign_add(count, 1)
init = tf.global_variables_initializer()

one = tf.Session()
two = tf.Session()
one.run(init)
two.run(init)

one.run(add_one)
one.run(add_one)
two.run(add_one)

print(one.run(count), two.run(count))
