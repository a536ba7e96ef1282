# tf.data: orders, cardinalities, specs, windows, generators, iterators
import tensorflow as tf
D = tf.data.Dataset
tf.random.set_seed(7)
ds = D.range(10).shuffle(4, seed=3)
print([int(x) for x in ds]); print([int(x) for x in ds])
ds = D.range(10).shuffle(10)
print([int(x) for x in ds]); print([int(x) for x in ds])
ds = D.range(10).shuffle(10, reshuffle_each_iteration=False)
print([int(x) for x in ds]); print([int(x) for x in ds])
ds = D.range(6).shuffle(6, seed=1).repeat(2).batch(4)
for b in ds: print(b)
ds = D.range(6).repeat(2).shuffle(3, seed=42).batch(5, drop_remainder=True)
for b in ds: print(b.numpy())
for d in (D.range(3), D.from_tensor_slices([1.5]), D.range(3).map(lambda x: x + 1), D.range(3).batch(2), D.range(3).shuffle(2),
          D.range(3).repeat(), D.range(3).prefetch(1), D.range(3).take(1), D.range(3).skip(1), D.range(3).cache(), D.range(4).window(2),
          D.zip((D.range(2), D.range(3))), D.range(3).filter(lambda x: x > 1), D.range(2).concatenate(D.range(3)), D.range(3).enumerate(),
          D.from_tensors([1, 2]), D.range(3).map(lambda x: (x, {'a': x}), num_parallel_calls=2), D.range(3).batch(2, drop_remainder=True),
          D.range(3).flat_map(lambda x: D.range(x)), D.range(3).interleave(lambda x: D.range(x), cycle_length=2), D.range(8).shard(2, 0),
          D.range(3).batch(2).unbatch(), D.range(1, 4).map(lambda n: tf.fill([n], n)).padded_batch(2), D.range(5, 0, -2), D.range(0)):
    print(d, d.cardinality().numpy())
    try:
        print(len(d))
    except TypeError as e:
        print(e)
print(tf.data.INFINITE_CARDINALITY, tf.data.UNKNOWN_CARDINALITY, tf.data.AUTOTUNE, tf.data.experimental.AUTOTUNE)
print(list(D.range(3).as_numpy_iterator()), list(D.zip((D.range(2), D.from_tensor_slices(['a', 'b']))).as_numpy_iterator()))
print(list(D.zip(D.range(2), D.range(2)).as_numpy_iterator()), list(D.zip({'x': D.range(2)}).as_numpy_iterator()))
for w in D.range(7).window(3, shift=2, stride=1):
    print(w, [int(x) for x in w])
print([x.numpy().tolist() for x in D.range(10).window(3, shift=2, drop_remainder=True).flat_map(lambda w: w.batch(3))])
for x, y in D.from_tensor_slices(([1, 2, 3, 4], [5, 6, 7, 8])).window(2).flat_map(lambda a, b: D.zip((a.batch(2), b.batch(2)))):
    print(x, y)
print([int(x) for x in D.range(1, 4).interleave(lambda x: D.from_tensors(x).repeat(4), cycle_length=2, block_length=2)])
print([int(x) for x in D.range(10).shard(3, 1)], [int(x) for x in D.range(5).map(lambda x: x * x).filter(lambda x: x % 2 == 0)])
print(D.range(5).reduce(tf.constant(0, tf.int64), lambda s, x: s + x), D.range(5).reduce((0, 0), lambda s, x: (s[0] + 1, s[1] + tf.cast(x, tf.int32))))
print(D.from_tensors([1, 2]).get_single_element())
def gen():
    yield 1, 'a'
    yield 2, 'b'
g = D.from_generator(gen, output_types=(tf.int32, tf.string), output_shapes=((), ()))
print(list(g), g.element_spec, g)
g = D.from_generator(lambda: iter([1, 2]), tf.int64)
print(list(g), g.element_spec)
def count(n):
    for i in range(n): yield i
print(list(D.from_generator(count, args=[3], output_signature=tf.TensorSpec([], tf.int32)).as_numpy_iterator()))
calls = []
def py(x):
    calls.append(1)
    print('traced', x)
    return x + 1
m = D.range(3).map(py)
print([int(x) for x in m], [int(x) for x in m], len(calls))
print([x.numpy() for x in D.range(3).map(lambda x: tf.py_function(lambda v: v.numpy() * 2, [x], tf.int64))])
it = iter(D.range(2))
print(it.get_next(), next(it), it.get_next_as_optional().has_value())
print(it.element_spec)
try:
    it.get_next()
except tf.errors.OutOfRangeError as e:
    print(type(e).__name__, e)
v = tf.Variable(10, dtype=tf.int64)
print([int(x) for x in D.range(3).map(lambda x: x + v)])
print([int(x) for x in D.range(10).take_while(lambda x: x < 4)], [int(x) for x in D.range(3).scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x))])
print([int(x) for x in D.from_tensor_slices([1, 1, 2, 3, 3]).unique()])
ds = D.range(20).apply(lambda d: d.batch(5))
print([x.numpy().tolist() for x in ds.rebatch(7)])
print([x.numpy().tolist() for x in D.from_tensor_slices([[1, 2], [3, 4]]).unbatch()])
