import os, tempfile
import numpy as np
import tensorflow as tf
d = tempfile.mkdtemp(); p = os.path.join(d, 'a.txt')
with open(p, 'w') as f:
    f.write('1,2\n3,4\n')
n = tf.data.TextLineDataset(p).map(lambda l: tf.decode_csv(l, [[0], [0]])).make_one_shot_iterator().get_next()
im = tf.summary.image('pic', tf.reshape(tf.range(8.), [2, 2, 2, 1]))
with tf.Session() as s:
    print(s.run(n), s.run(n))
    w = tf.summary.FileWriter(d, s.graph); w.add_summary(s.run(im), 1); w.close()
    print(s.run(tf.tensordot([[1., 2.], [3., 4.]], [[1., 0.], [0., 1.]], axes=[[1], [0]])))
for e in tf.train.summary_iterator([os.path.join(d, f) for f in os.listdir(d) if 'tfevents' in f][0]):
    for v in e.summary.value: print(e.step, v.tag, v.HasField('simple_value'))
