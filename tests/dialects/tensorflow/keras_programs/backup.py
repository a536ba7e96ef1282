import numpy as np, tensorflow as tf, os
keras = tf.keras
keras.utils.set_random_seed(11)
x = np.random.rand(40, 4).astype("float32"); y = (x.sum(1) > 2).astype("float32")
class Stop(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 4: raise RuntimeError("Interrupting!")
def make():
    m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, kernel_initializer="ones")]); m.compile("adam", "mse"); return m
m = make(); b = lambda **k: keras.callbacks.BackupAndRestore("backup", **k)
try: m.fit(x, y, epochs=10, batch_size=10, callbacks=[b(), Stop()], verbose=0)
except RuntimeError as e: print(e)
print(sorted(os.listdir("backup")))
n = make(); h = n.fit(x, y, epochs=10, batch_size=10, callbacks=[b()], verbose=0)
print(len(h.history["loss"]), h.epoch, int(n.optimizer.iterations), os.path.exists("backup"))
n = make(); n.fit(x, y, epochs=2, batch_size=10, callbacks=[b(double_checkpoint=True, delete_checkpoint=False, save_freq=3)], verbose=0)
print(sorted(os.listdir("backup")), open("backup/training_metadata.json").read())
for f in (lambda: keras.callbacks.BackupAndRestore(""), lambda: keras.callbacks.BackupAndRestore("b", save_freq="x"),
          lambda: keras.Sequential([keras.layers.Dense(1)]).fit(x, y)):
    try: f()
    except ValueError as e: print(e)
m = keras.Sequential([keras.layers.Dense(1)]); m.compile("sgd", "mse")
try: m.fit(x, y, verbose=0, callbacks=[keras.callbacks.BackupAndRestore("c")])
except ValueError as e: print(str(e).split("Model")[0])
