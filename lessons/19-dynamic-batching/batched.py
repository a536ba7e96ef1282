import numpy as np
import tensorflow as tf
import tensorflow_fold as td

def tree(depth, seed):
    rng = np.random.RandomState(seed)
    return int(rng.randint(5)) if depth == 0 else (tree(depth - 1, seed * 2 + 1), tree(depth - 1, seed * 2 + 2))

word = td.Scalar("int32") >> td.Embedding(5, 8, name="words")
vector = td.ForwardDeclaration(td.PyObjectType(), td.TensorType([8]))
pair = td.AllOf(td.GetItem(0) >> vector(), td.GetItem(1) >> vector())
joint = pair >> td.Concat() >> td.FC(8, activation=tf.nn.tanh, name="pair")
vector.resolve_to(td.OneOf(lambda tree: isinstance(tree, tuple), {True: joint, False: word}))
compiler = td.Compiler.create(vector())
(encoded,) = compiler.output_tensors

trees = [tree(3, seed) for seed in range(24)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(encoded, compiler.build_feed_dict(trees))
print("done")
