# tf.Module, checkpoints by object paths, managers
import os, tempfile
import tensorflow as tf
class Linear(tf.Module):
    def __init__(self, n, m, name=None):
        super().__init__(name)
        with self.name_scope:
            self.w = tf.Variable(tf.ones([n, m]), name='w')
            self.b = tf.Variable(tf.zeros([m]), name='b')
    @tf.Module.with_name_scope
    def __call__(self, x):
        self.extra = tf.Variable(1.0, name='extra') if not hasattr(self, 'extra') else self.extra
        return x @ self.w + self.b
class MLP(tf.Module):
    def __init__(self):
        super().__init__()
        self.stack = [Linear(2, 2), Linear(2, 1)]
        self.table = {'a': tf.Variable(1.0), 'z': Linear(1, 1, name='zed')}
        self.frozen = tf.Variable(3.0, trainable=False)
m = MLP()
print(m.name, [v.name for v in m.variables], [v.name for v in m.trainable_variables], [v.name for v in m.non_trainable_variables])
print([s.name for s in m.submodules], m.stack[0].name_scope if False else '')
print(m.stack[0](tf.ones([1, 2])), m.stack[0].extra.name)
print(list(m._flatten(predicate=lambda x: isinstance(x, tf.Variable)))[0].name)
try:
    tf.Module(name='1bad')
except ValueError as e: print(type(e).__name__, e)
d = tempfile.mkdtemp()
ck = tf.train.Checkpoint(model=m, step=tf.Variable(0))
print(os.path.basename(ck.save(os.path.join(d, 'ck'))), os.path.basename(ck.save(os.path.join(d, 'ck'))), ck.save_counter.numpy())
print(sorted(os.listdir(d)))
print(tf.train.list_variables(os.path.join(d, 'ck-1')))
m.frozen.assign(100.0)
st = ck.restore(os.path.join(d, 'ck-1'))
print(m.frozen.numpy(), type(st).__name__)
st.assert_existing_objects_matched(); st.expect_partial()
new = MLP()
ck2 = tf.train.Checkpoint(model=new)
s = ck2.restore(tf.train.latest_checkpoint(d))
try:
    s.assert_consumed()
except AssertionError as e: print('AssertionError', str(e)[:60])
print(tf.train.load_variable(d, 'step/.ATTRIBUTES/VARIABLE_VALUE'), tf.train.get_checkpoint_state(d).model_checkpoint_path == os.path.join(d, 'ck-2'))
try:
    ck2.restore(os.path.join(d, 'nothing'))
except Exception as e: print(type(e).__name__, str(e).replace(d, 'D')[:100])
class Other(tf.Module):
    def __init__(self): self.q = tf.Variable([1., 2.])
o = Other(); c3 = tf.train.Checkpoint(model=o)
s = c3.restore(os.path.join(d, 'ck-1'))
try: s.assert_existing_objects_matched()
except AssertionError as e: print('AssertionError', str(e)[:70])
man = tf.train.CheckpointManager(ck, os.path.join(d, 'm'), max_to_keep=3, checkpoint_name='model')
print(man.latest_checkpoint, man.checkpoints)
for i in range(4):
    p = man.save(checkpoint_number=i * 10)
print([os.path.basename(x) for x in man.checkpoints], os.path.basename(man.latest_checkpoint), sorted(os.listdir(man.directory)))
man2 = tf.train.CheckpointManager(ck, os.path.join(d, 'm'), max_to_keep=3, checkpoint_name='model')
print([os.path.basename(x) for x in man2.checkpoints], os.path.basename(man2.restore_or_initialize()))
v = tf.Variable(5.0); lazy = tf.train.Checkpoint()
path = tf.train.Checkpoint(v=v).write(os.path.join(d, 'w'))
lazy.read(path); lazy.v = tf.Variable(0.0); print(lazy.v.numpy())
ls = tf.train.Checkpoint(l=[tf.Variable(1.0), tf.Variable(2.0)], d={'k': tf.Variable(3.0)})
print(tf.train.list_variables(ls.save(os.path.join(d, 'l'))))
