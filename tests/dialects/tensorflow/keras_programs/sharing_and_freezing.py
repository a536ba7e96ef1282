import numpy as np, tensorflow as tf
from tensorflow import keras
keras.utils.set_random_seed(8)
base = keras.Sequential([keras.Input((4,)), keras.layers.Dense(5, activation="relu"), keras.layers.BatchNormalization()], name="base")
base.trainable = False
inp = keras.Input((4,)); h = base(inp, training=False); out = keras.layers.Dense(1)(h); m = keras.Model(inp, out)
m.summary(show_trainable=True); m.summary(expand_nested=True)
print(len(m.trainable_weights), len(m.weights), base.trainable, [l.trainable for l in base.layers])
m.compile(keras.optimizers.Adam(1e-2), "mse"); x = np.random.rand(12, 4); y = np.random.rand(12, 1)
w = base.get_weights()[0].copy(); m.fit(x, y, epochs=2, verbose=0); print(np.allclose(w, base.get_weights()[0]))
base.trainable = True; m.compile(keras.optimizers.SGD(1e-2, momentum=0.5), loss=keras.losses.Huber(), metrics=[keras.metrics.RootMeanSquaredError(), "mse"]); h = m.fit(x, y, epochs=2, verbose=0, validation_split=0.25); print({k: [round(a, 4) for a in v] for k, v in h.history.items()})
print(np.allclose(w, base.get_weights()[0]), m.metrics_names, m.evaluate(x, y, verbose=0, return_dict=True).keys())
shared = keras.layers.Dense(3, name="shared"); a, b = keras.Input((2,), name="a"), keras.Input((2,), name="b")
s = keras.Model({"a": a, "b": b}, {"out": keras.layers.Add(name="out")([shared(a), shared(b)])}); s.summary(); r = s({"a": np.ones((1, 2)), "b": np.zeros((1, 2))}); print(list(r), r["out"].shape)
s.compile("sgd", {"out": "mse"}); print(sorted(s.fit({"a": np.ones((4, 2)), "b": np.ones((4, 2))}, {"out": np.ones((4, 3))}, verbose=0).history))
r = keras.layers.Dense(4)(inp); r = r + inp; r = keras.layers.Activation("relu")(r); res = keras.Model(inp, r); res.summary()
feat = keras.Model(inputs=m.input, outputs=[l.output for l in m.layers]); print([tuple(o.shape) for o in feat(np.ones((2, 4)))])
class Wide(keras.Model):
    def __init__(self, units=3, activation="relu", **kwargs):
        super().__init__(**kwargs); self.h1 = keras.layers.Dense(units, activation=activation); self.main_output = keras.layers.Dense(1); self.aux = keras.layers.Dense(1)
    def call(self, inputs):
        a, b = inputs; h = self.h1(b); return self.main_output(keras.layers.concatenate([a, h])), self.aux(h)
w = Wide(name="wide"); w.compile(loss=["mse", "mse"], loss_weights=[0.9, 0.1], optimizer="sgd"); A, B = np.random.rand(8, 2), np.random.rand(8, 3)
h = w.fit((A, B), (y[:8], y[:8]), epochs=1, verbose=0); print(sorted(h.history), [tuple(p.shape) for p in w.predict((A, B), verbose=0)]); w.summary()
