import numpy as np, tensorflow as tf
from tensorflow.keras import layers, Model, Sequential
tf.keras.utils.set_random_seed(21)
class Autoencoder(Model):
    def __init__(self, latent_dim, shape):
        super().__init__()
        self.latent_dim = latent_dim; self.shape = shape
        self.encoder = tf.keras.Sequential([layers.Flatten(), layers.Dense(latent_dim, activation='relu')])
        self.decoder = tf.keras.Sequential([layers.Dense(int(np.prod(shape)), activation='sigmoid'), layers.Reshape(shape)])
    def call(self, x): return self.decoder(self.encoder(x))
x = np.random.rand(16, 4, 4).astype("float32")
a = Autoencoder(3, x.shape[1:]); a.compile(optimizer='adam', loss=tf.keras.losses.MeanSquaredError())
h = a.fit(x, x, epochs=3, shuffle=True, validation_data=(x, x), verbose=2, batch_size=4)
print([round(v, 5) for v in h.history['val_loss']], a.encoder(x).numpy().shape, a.decoder(a.encoder(x[:1])).numpy()[0, 0].round(4))
a.summary()
print([w.path for w in a.weights])
