"""Which iterator is meant is fed, as a handle."""

import numpy as np
import tensorflow as tf

train = tf.data.Dataset.range(6).map(lambda v: v * 10)
test = tf.data.Dataset.from_tensor_slices(np.array([7, 8, 9], np.int64))
handle = tf.placeholder(tf.string, [])
iterator = tf.data.Iterator.from_string_handle(handle, train.output_types, train.output_shapes)
element = iterator.get_next()
first, second = train.make_one_shot_iterator(), test.make_initializable_iterator()
print(element, iterator.output_types)
with tf.Session() as session:
    handles = session.run([first.string_handle(), second.string_handle()])
    print([type(h).__name__ for h in handles])
    for _ in range(2):
        session.run(second.initializer)
        print([session.run(element, {handle: handles[0]}) for _ in range(2)])
        print([session.run(element, {handle: handles[1]}) for _ in range(3)])
    try:
        session.run(element, {handle: handles[1]})
    except tf.errors.OutOfRangeError as error:
        print(type(error).__name__)
