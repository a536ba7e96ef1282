import numpy as np, tensorflow as tf, os, tempfile
keras = tf.keras
keras.utils.set_random_seed(11)
x = np.random.rand(40, 4).astype("float32"); y = (x.sum(1) > 2).astype("float32")
def make():
    m = keras.Sequential([keras.layers.Dense(3, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
    m.compile("adam", "binary_crossentropy", metrics=["accuracy"]); return m
class Log(keras.callbacks.Callback):
    def on_train_begin(self, logs=None): print("train begin", logs)
    def on_epoch_begin(self, e, logs=None): print("epoch begin", e, logs)
    def on_train_batch_end(self, b, logs=None): print("batch", b, sorted(logs))
    def on_test_begin(self, logs=None): print("test begin")
    def on_epoch_end(self, e, logs=None): print("epoch end", e, {k: round(v, 4) for k, v in logs.items()})
    def on_train_end(self, logs=None): print("train end", sorted(logs))
m = make(); m.fit(x, y, epochs=2, batch_size=20, verbose=0, validation_split=0.25, callbacks=[Log()])
m = make(); es = keras.callbacks.EarlyStopping(monitor="loss", patience=2, min_delta=1.0, verbose=1, restore_best_weights=True)
h = m.fit(x, y, epochs=10, verbose=0, callbacks=[es]); print(len(h.history["loss"]), es.stopped_epoch)
m = make(); rl = keras.callbacks.ReduceLROnPlateau(monitor="loss", factor=0.5, patience=1, min_delta=10, verbose=1, min_lr=1e-4)
h = m.fit(x, y, epochs=4, verbose=0, callbacks=[rl]); print(sorted(h.history), [round(a, 6) for a in h.history["learning_rate"]])
m = make(); h = m.fit(x, y, epochs=3, verbose=2, callbacks=[keras.callbacks.LearningRateScheduler(lambda e, lr: lr * 0.5, verbose=1)])
d = tempfile.mkdtemp(); p = os.path.join(d, "log.csv")
m = make(); m.fit(x, y, epochs=2, verbose=0, callbacks=[keras.callbacks.CSVLogger(p), keras.callbacks.LambdaCallback(on_epoch_end=lambda e, logs: print("lambda", e))])
print(open(p).read().split("\n")[0], len(open(p).read().strip().split("\n")))
m = make(); ck = keras.callbacks.ModelCheckpoint(os.path.join(d, "m{epoch}.keras"), save_best_only=True, monitor="loss")
m.fit(x, y, epochs=2, verbose=0, callbacks=[ck]); print(sorted(os.listdir(d)))
l = keras.models.load_model(os.path.join(d, "m2.keras")); print(np.allclose(l.predict(x, verbose=0), m.predict(x, verbose=0)), l.optimizer.iterations.numpy())
es = keras.callbacks.EarlyStopping(monitor="loss"); m.fit(x, y, epochs=1, verbose=0, callbacks=[es])
h = m.fit(x, y, epochs=5, initial_epoch=3, verbose=0); print(h.epoch, h.params)
m.stop_training = True
h = m.fit(x, y, epochs=2, verbose=1, batch_size=40); print(type(h.history["loss"][0]))
