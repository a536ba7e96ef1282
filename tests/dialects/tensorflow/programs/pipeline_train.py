# Feeding a model from tf.data
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(1)
features = rng.uniform(-1, 1, (12, 2)).astype(np.float32)
labels = (features @ np.array([[2.0], [-1.0]]) + 0.5).astype(np.float32)
f_ph = tf.placeholder(features.dtype, features.shape)
l_ph = tf.placeholder(labels.dtype, labels.shape)
dataset = tf.data.Dataset.from_tensor_slices((f_ph, l_ph))
print(dataset.output_shapes, dataset.output_types)
dataset = dataset.batch(4).repeat(3).prefetch(1)
iterator = dataset.make_initializable_iterator()
x, y = iterator.get_next()
print(x, y)
pred = tf.layers.dense(x, 1, kernel_initializer=tf.zeros_initializer(), name='linear')
loss = tf.losses.mean_squared_error(labels=y, predictions=pred)
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.3).minimize(loss, global_step=step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        sess.run(iterator.initializer, feed_dict={f_ph: features, l_ph: labels})
        losses = []
        while True:
            try:
                _, l = sess.run([train, loss])
                losses.append(l)
            except tf.errors.OutOfRangeError:
                break
        print('epoch', epoch, 'batches', len(losses), 'loss %.4f' % np.mean(losses))
    k, b = sess.run(['linear/kernel:0', 'linear/bias:0'])
    print(k.round(3).tolist(), b.round(3), sess.run(step))

words = tf.data.Dataset.from_tensor_slices(['a b', 'c', 'd e f'])
lengths = words.map(lambda s: tf.string_to_number(tf.as_string(1.5)))
ranged = tf.data.Dataset.range(10).filter(lambda v: tf.equal(v % 3, 0)).map(lambda v: v * v)
nested = tf.data.Dataset.range(4).map(lambda v: {'v': v, 'half': v / 2})
print(nested.output_types, nested.output_shapes)
shuffled = tf.data.Dataset.range(6).shuffle(3, seed=5).batch(6)
enumerated = tf.data.Dataset.zip((tf.data.Dataset.range(2), words)).batch(2)
with tf.Session() as sess:
    for name, d in (('words', words), ('ranged', ranged), ('nested', nested), ('shuffled', shuffled), ('zip', enumerated)):
        nxt = d.make_one_shot_iterator().get_next()
        try:
            while True:
                print(name, sess.run(nxt))
        except tf.errors.OutOfRangeError:
            print(name, 'done')
