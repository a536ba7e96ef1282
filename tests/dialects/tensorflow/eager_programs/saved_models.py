# tf.saved_model: objects with their functions, without the source
import os, tempfile
import tensorflow as tf
class M(tf.Module):
    def __init__(self):
        self.v = tf.Variable(2.0, name='v'); self.k = tf.constant(10.0); self.n = 5
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def mul(self, x):
        return x * self.v
    @tf.function
    def free(self, x, scale=1.0):
        return {'out': x * scale, 'k': self.k}
    @tf.function(input_signature=[])
    def bump(self):
        self.v.assign_add(1.0)
        return self.v.read_value()
    def plain(self): return 1
d = tempfile.mkdtemp()
m = M()
m.free(tf.constant(1.0)); m.free(tf.constant([1.0, 2.0]), scale=3.0)
tf.saved_model.save(m, os.path.join(d, 's'), signatures=m.mul)
print(sorted(os.listdir(os.path.join(d, 's'))), tf.saved_model.contains_saved_model(os.path.join(d, 's')))
m.v.assign(50.0)
l = tf.saved_model.load(os.path.join(d, 's'))
print(l.mul(tf.constant([1.0, 2.0])), l.v, l.bump(), l.v.numpy(), m.v.numpy())
print(l.free(tf.constant(4.0)))
print(l.free(tf.constant([4.0, 5.0]), scale=3.0))
print(hasattr(l, 'plain'), hasattr(l, 'n'), hasattr(l, 'k'))
try:
    l.free(tf.constant([1.0, 2.0, 3.0]))
except Exception as e: print(type(e).__name__, str(e).split('\n')[0])
print(list(l.signatures.keys()))
f = l.signatures['serving_default']
print(f(tf.constant([3.0])))
print(f.structured_outputs, f.structured_input_signature)
print(f(x=tf.constant([3.0])))
with tf.GradientTape() as t:
    y = tf.reduce_sum(l.mul(tf.constant([1.0, 2.0])))
print(t.gradient(y, l.v))
print(type(l).__name__)
tf.saved_model.save(m, os.path.join(d, 't'))
l2 = tf.saved_model.load(os.path.join(d, 't'))
print(list(l2.signatures.keys()), l2.bump(), l2.mul([2.0]))
tf.saved_model.save(m, os.path.join(d, 'u'), signatures={'a': m.mul, 'b': m.free.get_concrete_function(tf.TensorSpec([], tf.float32))})
l3 = tf.saved_model.load(os.path.join(d, 'u'))
print(sorted(l3.signatures.keys()), l3.signatures['b'](tf.constant(1.0)))
try:
    tf.saved_model.load(os.path.join(d, 'none'))
except Exception as e: print(type(e).__name__, str(e).replace(d, 'D')[:90])
try:
    tf.saved_model.save(5, os.path.join(d, 'x'))
except Exception as e: print(type(e).__name__, str(e)[:120])
class S(tf.Module):
    @tf.function
    def __call__(self, x): return x
tf.saved_model.save(S(), os.path.join(d, 'y'))
try: tf.saved_model.load(os.path.join(d, 'y'))(tf.constant(1))
except Exception as e: print(type(e).__name__, str(e)[:150])
