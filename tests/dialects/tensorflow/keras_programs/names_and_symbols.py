import tensorflow as tf
from tensorflow.keras.models import Sequential, Model
from tensorflow.keras.layers import Dense, Input
import keras
print([Dense(1).name for _ in range(3)], keras.layers.MaxPooling2D().name, keras.layers.LSTM(1).name, Sequential().name, Sequential().name)
tf.keras.backend.clear_session(); print(Dense(1).name)
i = Input((2,)); print(i.name, i.shape, i.dtype, i)
d = Dense(3); o = d(i); print(o, d.input, d.output, o.name)
o2 = d(Input((2,))); print(len(d._inbound_nodes))
m = Model(i, o); print(m.name, m, m.inputs, m.outputs, m.input, m.output)
print(keras.ops.add(o, o), o + 1, o[:, 0], keras.ops.mean(o, axis=1).shape, (o @ keras.ops.transpose(o)).shape)
x = keras.layers.Lambda(lambda t: t ** 2)(o); print(x.shape)
s = Sequential([Dense(2)]); print(s, s.layers, s.built); s(tf.ones((1, 3))); print(s, s.input_shape, s.output_shape); s.summary()
m2 = Model(i, o * 2.0); m2.summary(); print(m2(tf.ones((1, 2))).shape)
v = d.kernel; print(v.name, v.path, v.shape, v.dtype, v.trainable, repr(v)[:20], v.ndim)
v.assign(tf.zeros_like(v)); print(v.numpy().sum(), (v + 1).numpy().sum(), tf.reduce_sum(v + 1.0).numpy(), v[0, 0], float(v[0, 0]))
class Sub(keras.layers.Layer):
    def __init__(self): super().__init__(); self.items = [Dense(1), Dense(2)]; self.extra = {'a': Dense(3)}; self.c = tf.Variable(1.0)
    def call(self, x): return self.items[1](self.items[0](x))
s = Sub(); print(s(tf.ones((1, 2))).shape, len(s.weights), [w.path for w in s.weights], s.trainable)
s.trainable = False; print(len(s.trainable_weights), len(s.non_trainable_weights))
class W(keras.layers.Layer):
    def __init__(self, u): super().__init__(); self.u = u
    def build(self, shape): self.k = self.add_weight((shape[-1], self.u), name='k'); super().build(shape)
    def call(self, x, training=None): self.add_loss(tf.reduce_sum(self.k - self.k)); return x @ self.k
w = W(2); print(w(tf.ones((1, 3))).shape, w.losses, w.built, w.count_params(), w.get_weights()[0].shape)
