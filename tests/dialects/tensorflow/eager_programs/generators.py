# Generators, stateless functions, draws by the seed of the program
import tensorflow as tf
g = tf.random.Generator.from_seed(1)
print(g.state.numpy(), g.key.numpy(), g.algorithm)
print(g.normal([3]).numpy()); print(g.uniform([3]).numpy()); print(g.uniform([2], 0, 10, dtype=tf.int32).numpy())
print(g.state.numpy())
g.reset_from_seed(1); print(g.normal([3]).numpy())
g2 = tf.random.Generator.from_seed(1234); print(g2.normal([2, 2]).numpy(), g2.uniform([], 1, 5).numpy(), g2.truncated_normal([2]).numpy())
print([x.state.numpy() for x in tf.random.Generator.from_seed(7).split(2)])
print(tf.random.stateless_uniform([3], seed=[1, 2]).numpy(), tf.random.stateless_normal([3], seed=(1, 2)).numpy())
print(tf.random.stateless_uniform([3], [5, 6], 0, 10, tf.int32).numpy(), tf.random.stateless_truncated_normal([2], seed=[0, 0]).numpy())
print(tf.random.stateless_uniform([5], seed=[1, 2], minval=-1., maxval=1.).numpy())
print(tf.random.split([1, 2], 2).numpy() if hasattr(tf.random, 'split') else '', tf.random.experimental.stateless_fold_in([1, 2], 3).numpy())
tf.random.set_seed(3)
print(tf.random.shuffle(tf.range(6)).numpy(), tf.random.shuffle([1, 2, 3], seed=4).numpy())
print(tf.random.categorical(tf.math.log([[0.5, 0.5], [0.9, 0.1]]), 5).numpy())
print(tf.random.get_global_generator().state.shape)
print(tf.random.uniform([2], maxval=5, dtype=tf.int64).numpy(), tf.random.normal([2], dtype=tf.float64).numpy())
@tf.function
def f():
    return g.normal([2])
g.reset_from_seed(9); print(f().numpy(), f().numpy()); g.reset_from_seed(9); print(g.normal([4]).numpy())
