import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
keras.utils.set_random_seed(42)
title = keras.Input(shape=(None,), name="title")
tags = keras.Input(shape=(4,), name="tags")
e = layers.Embedding(20, 8)(title)
h = layers.LSTM(6)(e)
x = layers.concatenate([h, tags])
pri = layers.Dense(1, activation="sigmoid", name="priority")(x)
dep = layers.Dense(3, name="department")(x)
model = keras.Model(inputs=[title, tags], outputs=[pri, dep])
model.summary()
model.compile(optimizer=keras.optimizers.SGD(0.05), loss=[keras.losses.BinaryCrossentropy(), keras.losses.CategoricalCrossentropy(from_logits=True)], loss_weights=[1.0, 0.2], metrics=[["accuracy"], ["accuracy"]])
rng = np.random.RandomState(0)
t = rng.randint(0, 20, (32, 5)); g = rng.rand(32, 4).astype("float32")
p = rng.randint(0, 2, (32, 1)).astype("float32"); d = np.eye(3)[rng.randint(0, 3, 32)]
h = model.fit({"title": t, "tags": g}, {"priority": p, "department": d}, epochs=2, batch_size=16, verbose=2)
for k, v in h.history.items(): print(k, [round(a, 4) for a in v])
print([o.shape for o in model.predict([t[:2], g[:2]], verbose=0)])
r = model.evaluate([t, g], [p, d], verbose=0, return_dict=True)
print({k: round(v, 4) for k, v in r.items()})
print(model.output_names, model.input_shape, model.output_shape, [l.name for l in model.layers])
