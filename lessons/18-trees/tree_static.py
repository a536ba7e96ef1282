import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
words = {word: rng.randn(2, 1).astype(np.float32) for word in ("the", "cat", "sat", "here")}
W = tf.constant(rng.randn(2, 4).astype(np.float32), name="W")

def encode(tree):
    if isinstance(tree, str):
        return tf.constant(words[tree], name=tree)
    left, right = tree
    return tf.tanh(tf.matmul(W, tf.concat([encode(left), encode(right)], axis=0)))

with tf.Session() as sess:
    for tree in [(("the", "cat"), "sat"), ("cat", ("sat", "here"))]:
        score = tf.reduce_sum(encode(tree))
        print(tree, "%.3f" % sess.run(score), len(tf.get_default_graph().get_operations()))
