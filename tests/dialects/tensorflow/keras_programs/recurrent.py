import numpy as np, tensorflow as tf
from tensorflow.keras import layers
tf.keras.utils.set_random_seed(7)
x = np.random.rand(2, 4, 3).astype("float32")
for cls in (layers.SimpleRNN, layers.LSTM, layers.GRU):
    l = cls(3, return_sequences=True, return_state=True)
    out = l(x)
    print(cls.__name__, [tuple(o.shape) for o in out], out[0].numpy()[0, -1].round(5))
    print([ (w.name, w.path, tuple(w.shape)) for w in l.weights])
b = layers.Bidirectional(layers.LSTM(2, return_sequences=True))
print(b(x).numpy()[1].round(5)); print(b.layers if hasattr(b,'layers') else [l.name for l in (b.forward_layer, b.backward_layer)])
print([w.path for w in b.weights])
g = layers.GRU(2, reset_after=False, recurrent_activation='hard_sigmoid'); print(g(x).numpy().round(5))
m = tf.keras.Sequential([layers.Masking(0.0), layers.LSTM(3)])
x[0, 2:] = 0
print(m(x).numpy().round(5))
td = layers.TimeDistributed(layers.Dense(2)); print(td(x).shape, td(x).numpy()[0,0].round(5))
cell = layers.LSTMCell(3); h, (h2, c) = cell(x[:, 0], [tf.zeros((2, 3)), tf.zeros((2, 3))]); print(h.numpy().round(5), c.shape)
r = layers.RNN([layers.GRUCell(3), layers.LSTMCell(2)]); print(r(x).numpy().round(5))
s = layers.RNN(layers.SimpleRNNCell(2), return_sequences=True); print(s(x).shape, s.cell)
rv = layers.RepeatVector(3); print(rv(x[:,0]).shape)
st = layers.GRU(2, stateful=True); st(x); a = st(x).numpy(); st.reset_states(); st(x); print(np.allclose(a, st(x).numpy()))
print(layers.LSTM(4).get_config()['units'], layers.Bidirectional(layers.GRU(3)).name)
