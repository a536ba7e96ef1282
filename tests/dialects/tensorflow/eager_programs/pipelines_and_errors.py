# tf.data: structures, padding, errors, training loops
import sys
import numpy as np, tensorflow as tf
D = tf.data.Dataset
try:
    D.from_tensor_slices(([1, 2], [1, 2, 3]))
except Exception as e:
    print(type(e).__name__, str(e).split('\n')[0][:150])
try:
    D.from_tensor_slices(5)
except Exception as e:
    print(type(e).__name__, str(e)[:150])
ds = D.from_tensor_slices({'x': np.arange(6).reshape(3, 2), 'y': ['a', 'b', 'c']})
for row in ds.batch(2): print(row)
print(ds.element_spec)
for a, b in D.from_tensor_slices(([[1., 2.], [3., 4.]], [0, 1])): print(a, b)
def f(x):
    if x > 2:
        return x * 10
    else:
        return x
print([int(v) for v in D.range(5).map(f)])
print([int(v) for v in D.from_tensor_slices([1, 2, 3]).repeat(2).take(5)])
print(D.from_tensor_slices(np.ones((4, 2), np.float32)).batch(3).element_spec)
print(D.range(2).map(lambda x: {'a': x, 'b': (x, tf.ones([2]))}).element_spec)
pb = D.from_generator(lambda: iter([[1], [2, 3], [4, 5, 6]]), output_signature=tf.TensorSpec([None], tf.int32))
for b in pb.padded_batch(2): print(b)
for b in pb.padded_batch(2, padded_shapes=[4], padding_values=-1): print(b.numpy())
for b in pb.padded_batch(2, drop_remainder=True): print(b.shape)
try:
    for b in pb.batch(2): print(b)
except Exception as e:
    print(type(e).__name__, str(e)[:80])
text = D.from_tensor_slices(['hello world', 'a b c'])
print([t.numpy().tolist() for t in text.map(lambda s: tf.strings.length(s))])
try:
    D.range(3).map(5)
except Exception as e: print(type(e).__name__, str(e)[:100])
try:
    D.range(3).batch(0)
    print(list(D.range(3).batch(0)))
except Exception as e: print(type(e).__name__, str(e)[:100])
try:
    list(D.range(3).map(lambda x: x / 0 if False else tf.debugging.check_numerics(tf.cast(x, tf.float32) / 0., 'bad')))
except Exception as e: print(type(e).__name__, str(e)[:60])
train = D.from_tensor_slices((np.arange(8, dtype=np.float32)[:, None], np.arange(8) % 2)).shuffle(8, seed=0).batch(4).prefetch(tf.data.AUTOTUNE)
for epoch in range(2):
    for x, y in train:
        print(epoch, x.numpy().ravel(), y.numpy())
for i, (x, y) in enumerate(train.take(1)): print(i, x.shape, y.dtype)
for i, x in D.range(2).enumerate(start=5): print(i, x)
print(ds)
print(tf.data.Dataset.range(3) is None, isinstance(ds, tf.data.Dataset))
c = D.range(3).cache(); print(list(c.as_numpy_iterator()), list(c.as_numpy_iterator()))
print(tf.data.experimental.cardinality(D.range(4)))
opts = tf.data.Options(); opts.experimental_deterministic = False
print(len(D.range(4).with_options(opts)))
print([x.numpy() for x in D.random(seed=4).take(2)])
print([int(x) for x in D.choose_from_datasets([D.range(3), D.range(10, 13)], D.from_tensor_slices(np.array([0, 1, 1, 0], np.int64)))])
@tf.function
def total(d):
    s = tf.constant(0, tf.int64)
    for x in d:
        tf.print('x', x, output_stream=sys.stdout)
        s += x
    return s
print(total(D.range(4)))
print(D.range(3).map(lambda x: tf.random.uniform([], seed=1)).cardinality())
tf.random.set_seed(0)
print([round(float(x), 5) for x in D.range(3).map(lambda x: tf.random.uniform([]))])
