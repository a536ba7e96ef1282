import numpy as np, tensorflow as tf
keras = tf.keras
keras.utils.set_random_seed(3)
class CustomModel(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        for metric in self.metrics:
            if metric.name == "loss": metric.update_state(loss)
            else: metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}
inputs = keras.Input(shape=(8,)); outputs = keras.layers.Dense(1)(inputs)
model = CustomModel(inputs, outputs)
print(model, [type(c).__name__ for c in [model]])
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
x = np.random.random((20, 8)); y = np.random.random((20, 1))
h = model.fit(x, y, epochs=3, batch_size=8, verbose=0)
print({k: [round(float(a), 4) if not isinstance(a, dict) else a for a in v] for k, v in h.history.items()})
loss_tracker = keras.metrics.Mean(name="loss"); mae_metric = keras.metrics.MeanAbsoluteError(name="mae")
class M2(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True); loss = keras.losses.MSE(y, y_pred)
        g = tape.gradient(loss, self.trainable_variables); self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        loss_tracker.update_state(loss); mae_metric.update_state(y, y_pred)
        return {"loss": loss_tracker.result(), "mae": mae_metric.result()}
    @property
    def metrics(self): return [loss_tracker, mae_metric]
m = M2(inputs, outputs); m.compile(optimizer="adam"); h = m.fit(x, y, epochs=2, verbose=0)
print({k: [round(a, 4) for a in v] for k, v in h.history.items()})
class GAN(keras.Model):
    def __init__(self):
        super().__init__(); self.g = keras.layers.Dense(2); self.d = keras.layers.Dense(1); self.t = keras.metrics.Mean(name="d_loss")
    def compile(self, opt): super().compile(); self.opt = opt
    def call(self, x): return self.d(self.g(x))
    def train_step(self, x):
        with tf.GradientTape() as tape: loss = tf.reduce_mean(self(x) ** 2)
        v = self.g.trainable_variables + self.d.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, v), v)); self.t.update_state(loss); return {"d_loss": self.t.result()}
    def test_step(self, x): self.t.update_state(tf.reduce_mean(self(x))); return {"d_loss": self.t.result()}
g = GAN(); g.compile(keras.optimizers.SGD(0.1)); h = g.fit(x, epochs=2, batch_size=10, verbose=2); print([round(a, 5) for a in h.history["d_loss"]])
print(round(float(np.ravel(g.evaluate(x, verbose=0))[0]), 5) , g.metrics)
