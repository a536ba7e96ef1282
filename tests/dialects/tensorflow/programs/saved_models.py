import os, tempfile, shutil
import numpy as np
import tensorflow as tf
folder = tempfile.mkdtemp()
x = tf.placeholder(tf.float32, [None, 2], name='x')
w = tf.get_variable('w', initializer=[[1.0], [2.0]])
y = tf.matmul(x, w, name='y')
out = os.path.join(folder, 'model')
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(w.assign([[3.0], [4.0]]))
    tf.saved_model.simple_save(sess, out, inputs={'x': x}, outputs={'y': y})
print(os.path.isdir(out), os.path.isdir(os.path.join(out, 'variables')))
tf.reset_default_graph()
with tf.Session(graph=tf.Graph()) as sess:
    meta = tf.saved_model.loader.load(sess, [tf.saved_model.tag_constants.SERVING], out)
    sig = meta.signature_def['serving_default']
    print(sorted(meta.signature_def), sig.inputs['x'].name, sig.outputs['y'].name, sig.method_name)
    print(sess.run(sig.outputs['y'].name, {sig.inputs['x'].name: [[1.0, 1.0]]}))
    print([v.name for v in tf.global_variables()])
path = tf.train.write_graph(tf.get_default_graph(), folder, 'g.pbtxt')
print(os.path.basename(path))
with tf.Graph().as_default():
    a = tf.Variable([1., 2.], name='a'); b = tf.Variable(5, name='b'); s = tf.reduce_sum(a, name='s')
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        p = saver.save(sess, os.path.join(folder, 'ck'), global_step=7)
        print(os.path.basename(p))
with tf.Graph().as_default():
    saver = tf.train.import_meta_graph(p + '.meta')
    with tf.Session() as sess:
        saver.restore(sess, tf.train.latest_checkpoint(folder))
        g = tf.get_default_graph()
        print(sess.run('s:0'), sess.run(g.get_tensor_by_name('b:0')), [v.op.name for v in tf.trainable_variables()])
        more = tf.multiply(g.get_tensor_by_name('s:0'), 2.0, name='more')
        print(sess.run(more), more.name)
with tf.Graph().as_default():
    q = tf.get_variable('missing', [1])
    saver = tf.train.Saver()
    with tf.Session() as sess:
        try: saver.restore(sess, p)
        except tf.errors.NotFoundError as e: print(type(e).__name__, 'Key missing not found' in str(e))
        try: saver.restore(sess, os.path.join(folder, 'none'))
        except ValueError as e: print(str(e).split(': ')[0])
shutil.rmtree(folder)
