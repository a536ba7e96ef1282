import numpy as np, tensorflow as tf, json
import keras
@keras.saving.register_keras_serializable(package="My")
class Scale(keras.layers.Layer):
    def __init__(self, factor=2.0, **kw): super().__init__(**kw); self.factor = factor
    def build(self, s): self.w = self.add_weight(shape=(s[-1],), initializer="ones", name="w")
    def call(self, x): return x * self.w * self.factor
    def get_config(self): return {**super().get_config(), "factor": self.factor}
i = keras.Input((3,)); o = keras.layers.Dense(2, kernel_regularizer="l2")(Scale(3.0)(i)); m = keras.Model(i, o, name="net")
m.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"]); x = np.random.rand(8, 3); y = np.random.rand(8, 2); m.fit(x, y, verbose=0)
m.save("m.keras"); l = keras.models.load_model("m.keras"); print(np.allclose(m(x), l(x)), l.name, [a.name for a in l.layers], l.layers[1].factor)
print(l.optimizer.get_config()["learning_rate"], l.loss, l.optimizer.iterations.numpy())
c = keras.models.clone_model(m); print(len(c.get_weights()), c.name); c.set_weights(m.get_weights()); print(np.allclose(c(x), m(x)))
d = keras.layers.Dense.from_config(keras.layers.Dense(4, activation="relu", name="q").get_config()); print(d.units, d.name, d.activation.__name__)
print(keras.layers.serialize(keras.layers.Dropout(0.5, name="dd")))
s = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, name="k")]); j = s.to_json(); print(json.loads(j)["class_name"]); s2 = keras.models.model_from_json(j); print(s2.name, [a.name for a in s2.layers], s2.get_layer("k").get_config()["units"])
s.save_weights("a.weights.h5"); s2.load_weights("a.weights.h5"); print(np.allclose(s.get_weights()[0], s2.get_weights()[0]))
try: s.save_weights("a.h5")
except ValueError as e: print(e)
try: s.save("x.foo")
except ValueError as e: print(e)
class C(keras.layers.Layer):
    def __init__(self, f): super().__init__(); self.f = f
try: C(lambda x: x).get_config()
except NotImplementedError as e: print(str(e)[:200])
class D(keras.layers.Layer):
    def __init__(self, n, flag=True, **k): super().__init__(**k); self.n = n
print(D(3).get_config())
q = keras.Sequential([keras.layers.Dense(1)]); q.build((None, 4)); print(q.summary() is None, [tuple(w.shape) for w in q.weights])
