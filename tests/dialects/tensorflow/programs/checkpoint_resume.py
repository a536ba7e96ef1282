# Stop training, start again from the checkpoint
import os
import shutil
import tempfile
import tensorflow as tf

folder = tempfile.mkdtemp()


def build():
    tf.reset_default_graph()
    step = tf.Variable(0, name='global_step', trainable=False)
    w = tf.get_variable('w', initializer=10.0)
    loss = tf.square(w - 3.0, name='loss')
    train = tf.train.AdamOptimizer(0.5).minimize(loss, global_step=step)
    return step, w, loss, train, tf.train.Saver(max_to_keep=2)


for session in range(3):
    step, w, loss, train, saver = build()
    with tf.Session() as sess:
        ckpt = tf.train.get_checkpoint_state(folder)
        if ckpt and ckpt.model_checkpoint_path:
            saver.restore(sess, ckpt.model_checkpoint_path)
            print('restored', os.path.basename(ckpt.model_checkpoint_path), 'step', sess.run(step))
        else:
            sess.run(tf.global_variables_initializer())
            print('fresh start')
        for _ in range(4):
            sess.run(train)
        print('w = %.4f' % sess.run(w), 'loss = %.4f' % sess.run(loss))
        path = saver.save(sess, os.path.join(folder, 'model'), global_step=step)
        print('saved', os.path.basename(path))
print(sorted(os.listdir(folder)))
print([os.path.basename(p) for p in tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths])
for name, shape in tf.train.list_variables(tf.train.latest_checkpoint(folder)):
    print(name, shape)
with tf.Graph().as_default():
    w2 = tf.get_variable('w', shape=[])
    missing = tf.get_variable('b', shape=[])
    with tf.Session() as sess:
        tf.train.Saver([w2]).restore(sess, tf.train.latest_checkpoint(folder))
        print('%.4f' % sess.run(w2))
        print(sess.run(tf.report_uninitialized_variables()))
        try:
            tf.train.Saver().restore(sess, tf.train.latest_checkpoint(folder))
        except tf.errors.NotFoundError as e:
            print(type(e).__name__, 'Key b not found' in str(e))
        try:
            tf.train.Saver([w2]).restore(sess, os.path.join(folder, 'nothing'))
        except ValueError as e:
            print(str(e).replace(folder, 'DIR'))
shutil.rmtree(folder)
