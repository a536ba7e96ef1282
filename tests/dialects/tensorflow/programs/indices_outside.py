import tensorflow as tf
p = tf.constant([[1.,2.],[3.,4.],[5.,6.]])
i = tf.placeholder(tf.int32, None)
i1 = tf.placeholder(tf.int32, [None])
i2 = tf.placeholder(tf.int32, [None, None])
v = tf.get_variable("emb", [3, 2], initializer=tf.zeros_initializer())
def t(f, d):
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        try: print(s.run(f, d))
        except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
for f in (tf.gather(p, i), ):
    for x in (0, 3, -1, [0, 3], [-1, 0], [[0,1],[2,-2]]): t(f, {i: x})
for f in (tf.gather(p, i1), tf.nn.embedding_lookup(v, i1), tf.gather(p, i1, axis=1)):
    for x in ([0, 1], [0, 3], [-1]): t(f, {i1: x})
for f in (tf.gather(p, i2), tf.nn.embedding_lookup(v, i2)):
    for x in ([[0, 1]], [[0, 1],[2,3]], [[-1]]): t(f, {i2: x})
gn = tf.gather_nd(p, i2)
for x in ([[0, 1]], [[0, 1],[2,3]], [[-1, 0]], [[3,0]], [[2]], [[5]]): t(gn, {i2: x})
for f in (lambda: p[i], lambda: p[:, i], lambda: p[0:i]):
    for x in (0, 1, -1, 3, -5): t(f(), {i: x})
t(tf.scatter_update(v, i1, tf.ones_like(tf.gather(p, i1*0))), {i1: [0, 3]})
t(tf.scatter_add(v, i1, tf.ones_like(tf.gather(p, i1*0))), {i1: [-1]})
t(tf.scatter_nd(i2, tf.ones([1]), [3]), {i2: [[4]]})
t(tf.one_hot(i1, 3), {i1: [0, 3, -1]})
try: tf.gather([1,2,3],[0,5]); t(tf.gather([1,2,3],[0,5]), {})
except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
t(tf.segment_sum(p, i1), {i1: [0, 0, 1]})
t(tf.unsorted_segment_sum(p, i1, 2), {i1: [0, 2, 1]})
