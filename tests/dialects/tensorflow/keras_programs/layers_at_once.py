import numpy as np, tensorflow as tf
from tensorflow.keras import layers, regularizers, constraints, initializers
tf.keras.utils.set_random_seed(5)
x = tf.constant([[1., -2., 3.], [0.5, 0., -1.]])
for l in [layers.ReLU(), layers.ReLU(max_value=1.0, negative_slope=0.1), layers.LeakyReLU(0.1), layers.ELU(), layers.PReLU(), layers.Softmax(), layers.Activation('swish'), layers.Activation('gelu'), layers.Activation('selu'), layers.Activation('softsign'), layers.Activation('hard_sigmoid'), layers.Activation('exponential'), layers.Activation('mish'), layers.UnitNormalization(), layers.LayerNormalization(), layers.BatchNormalization(), layers.Rescaling(0.5, 1.0), layers.GaussianNoise(0.1), layers.Identity(), layers.Flatten(), layers.Permute((1,)), layers.RepeatVector(2)]:
    print(l, l(x).numpy().round(4).tolist())
bn = layers.BatchNormalization(); print(bn(x, training=True).numpy().round(4)); print([w.numpy().round(4).tolist() for w in bn.weights], [w.name for w in bn.trainable_weights])
d = layers.Dropout(0.4); print(d(x, training=True).numpy(), d(x).numpy())
for c in [layers.Add(), layers.Subtract(), layers.Multiply(), layers.Average(), layers.Maximum(), layers.Minimum(), layers.Concatenate(), layers.Concatenate(axis=0), layers.Dot(axes=1)]: print(c.name, c([x, x * 2]).numpy().round(3).tolist())
print(layers.add([x, x]).numpy().tolist(), layers.concatenate([x, x], axis=0).shape)
n = layers.Normalization(); n.adapt(np.array([[1., 2.], [3., 6.], [5., 10.]])); print(n(np.array([[1., 2.]])).numpy(), n.mean.numpy(), n.variance.numpy())
w = layers.Dense(2, kernel_regularizer=regularizers.L2(0.1), bias_regularizer='l1', activity_regularizer=regularizers.l1(0.01)); w(x); print([round(float(v), 5) for v in w.losses], len(w.losses))
print(regularizers.l1_l2(0.1, 0.2)(tf.ones((2, 2))).numpy(), constraints.MaxNorm(1.0)(tf.constant([[3.], [4.]])).numpy().ravel(), constraints.NonNeg()(tf.constant([-1., 2.])).numpy(), constraints.UnitNorm()(tf.constant([[3.], [4.]])).numpy().ravel())
for i in ['glorot_uniform', 'glorot_normal', 'he_uniform', 'he_normal', 'lecun_normal', 'lecun_uniform', 'random_normal', 'random_uniform', 'truncated_normal', 'orthogonal', 'zeros', 'ones', 'identity']:
    print(i, initializers.get(i)((2, 2)).numpy().round(5).tolist())
print(initializers.Constant(3.)((2,)), initializers.VarianceScaling(2.0, 'fan_out', 'untruncated_normal', seed=1)((2, 3)).numpy().round(5))
a = layers.Attention(); print(a([tf.reshape(tf.range(6.), (1, 2, 3)), tf.ones((1, 4, 3))]).numpy().round(4))
mh = layers.MultiHeadAttention(2, 3); o, s = mh(tf.reshape(tf.range(6.), (1, 2, 3)), tf.ones((1, 2, 3)), return_attention_scores=True); print(o.numpy().round(4), s.shape, len(mh.weights))
e = layers.Embedding(5, 3, mask_zero=True); t = e(tf.constant([[1, 2, 0]])); print(t.numpy().round(5), e.compute_mask(tf.constant([[1, 2, 0]])).numpy(), t._keras_mask.numpy() if hasattr(t, '_keras_mask') else None)
print(layers.Dense(3).compute_output_shape((None, 4)), layers.Conv2D(4, 3).compute_output_shape((None, 8, 8, 1)), layers.LSTM(5).compute_output_shape((None, 3, 2)))
print(layers.Cropping2D(1)(tf.ones((1, 4, 4, 1))).shape, layers.SpatialDropout1D(0.5)(tf.ones((1, 2, 3)), training=True).numpy())
