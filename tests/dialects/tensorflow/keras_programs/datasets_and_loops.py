import numpy as np, tensorflow as tf
keras = tf.keras
keras.utils.set_random_seed(9)
x = np.random.rand(20, 3).astype("float32"); y = x @ np.array([[1.], [2.], [3.]], "float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(20).batch(6)
m = keras.Sequential([keras.layers.Dense(1)]); m.compile(keras.optimizers.SGD(0.1), "mse")
h = m.fit(ds, epochs=3, verbose=0); print([round(a, 4) for a in h.history["loss"]])
print(m.predict(ds.take(1), verbose=0).shape, round(m.evaluate(ds, verbose=0), 4))
def gen():
    while True: yield x[:4], y[:4]
h = m.fit(gen(), steps_per_epoch=3, epochs=1, verbose=0); print(len(h.history["loss"]))
h = m.fit(x, y, sample_weight=np.linspace(0, 1, 20), epochs=1, verbose=0); print(round(h.history["loss"][0], 5))
c = (y[:, 0] > 3).astype(int); k = keras.Sequential([keras.layers.Dense(2, activation="softmax")]); k.compile("sgd", "sparse_categorical_crossentropy", weighted_metrics=["accuracy"])
for step, (a, b) in enumerate(ds): print(step, a.shape, b.dtype)
loss_fn = keras.losses.MeanSquaredError(); opt = keras.optimizers.Adam(0.01); met = keras.metrics.MeanSquaredError()
@tf.function
def train(a, b):
    with tf.GradientTape() as t:
        p = m(a, training=True); l = loss_fn(b, p)
    opt.apply_gradients(zip(t.gradient(l, m.trainable_weights), m.trainable_weights)); met.update_state(b, p); return l
for e in range(2):
    for a, b in tf.data.Dataset.from_tensor_slices((x, y)).batch(10): l = train(a, b)
    print(e, round(float(l), 5), round(float(met.result()), 5)); met.reset_state()
