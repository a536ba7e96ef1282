import numpy as np, tensorflow as tf
from tensorflow import keras
keras.utils.set_random_seed(4)
x = np.random.rand(24, 6).astype("float32"); y = np.random.randint(0, 3, 24)
model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dropout(0.2), keras.layers.BatchNormalization(), keras.layers.Dense(3)])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(learning_rate=keras.optimizers.schedules.ExponentialDecay(0.01, 2, 0.9))
train_loss = tf.keras.metrics.Mean(name="train_loss"); train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")
@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss); train_accuracy(labels, predictions)
@tf.function
def test_step(images): return model(images, training=False)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
for epoch in range(3):
    train_loss.reset_state(); train_accuracy.reset_state()
    for im, la in ds: train_step(im, la)
    print(f"Epoch {epoch + 1}, Loss: {train_loss.result():0.4f}, Accuracy: {train_accuracy.result() * 100:0.2f}")
print(test_step(x[:2]).numpy().round(4), optimizer.iterations.numpy())
class MyModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.conv1 = keras.layers.Conv2D(3, 2, activation="relu"); self.flatten = keras.layers.Flatten(); self.d = keras.layers.Dense(2, activation="softmax")
    def call(self, x): return self.d(self.flatten(self.conv1(x)))
m = MyModel(); opt = keras.optimizers.SGD(0.1, momentum=0.9); im = np.random.rand(5, 4, 4, 1).astype("float32"); la = np.array([0, 1, 0, 1, 1])
@tf.function
def step(a, b):
    with tf.GradientTape() as t: l = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(b, m(a)) if hasattr(keras.losses, "sparse_categorical_crossentropy") else keras.metrics.sparse_categorical_crossentropy(b, m(a)))
    g = t.gradient(l, m.trainable_variables); opt.apply_gradients(zip(g, m.trainable_variables)); return l
print([round(float(step(im, la)), 4) for _ in range(4)])
rnn = keras.layers.LSTM(3); f = tf.function(lambda z: rnn(z)); z = np.random.rand(2, 4, 3).astype("float32"); print(f(z).numpy().round(4), rnn(z).numpy().round(4))
