# Word vectors: embedding lookup and noise-free skip-gram
import numpy as np
import tensorflow as tf

sentences = 'the quick brown fox jumps over the lazy dog the fox sleeps'.split()
vocab = sorted(set(sentences))
word2id = {w: i for i, w in enumerate(vocab)}
pairs = [(word2id[sentences[i]], word2id[sentences[j]]) for i in range(len(sentences))
         for j in (i - 1, i + 1) if 0 <= j < len(sentences)]
print(len(vocab), len(pairs), pairs[:4])
tf.set_random_seed(1)
center = tf.placeholder(tf.int32, [None], name='center')
context = tf.placeholder(tf.int32, [None], name='context')
embeddings = tf.Variable(tf.random_uniform([len(vocab), 3], -1.0, 1.0), name='embeddings')
embed = tf.nn.embedding_lookup(embeddings, center, name='embed')
print(embed)
weights = tf.Variable(tf.truncated_normal([3, len(vocab)], stddev=0.5), name='weights')
bias = tf.Variable(tf.zeros([len(vocab)]), name='bias')
logits = tf.matmul(embed, weights) + bias
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=context, logits=logits))
grad = tf.gradients(loss, embeddings)[0]
print(type(grad).__name__, grad.values.name, grad.indices.shape)
print(grad)
train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
normalized = embeddings / norm
similarity = tf.matmul(normalized, normalized, transpose_b=True)
print(norm, similarity)
nearest = tf.nn.top_k(similarity, k=2)
print(nearest)
c, t = np.array(pairs).T
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    print(sess.run(embed, {center: [0, 1]}).round(4))
    for step in range(60):
        _, l = sess.run([train, loss], {center: c, context: t})
        if step % 20 == 0:
            print(step, '%.4f' % l)
    sim = sess.run(similarity)
    print(np.allclose(np.diag(sim), 1.0, atol=1e-5), sim.shape)
    g = sess.run(grad, {center: [2, 2], context: [0, 1]})
    print(type(g).__name__, g.indices, g.dense_shape)
