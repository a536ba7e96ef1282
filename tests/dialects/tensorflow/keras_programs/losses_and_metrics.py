import numpy as np, tensorflow as tf
K = tf.keras
yt = np.array([[0., 1., 0.], [0., 0., 1.]]); yp = np.array([[.05, .9, .05], [.1, .3, .6]])
for n in ['mse','mae','mape','msle','kld','poisson','cosine_similarity','log_cosh','huber','hinge','squared_hinge','categorical_hinge','categorical_crossentropy','binary_crossentropy']:
    f = K.losses.get(n); print(n, np.asarray(f(yt, yp)).round(5))
for c in ['MeanSquaredError','MeanAbsoluteError','Huber','LogCosh','KLDivergence','Poisson','CosineSimilarity','Hinge','CategoricalCrossentropy','BinaryCrossentropy','BinaryFocalCrossentropy']:
    l = getattr(K.losses, c)(); print(c, l.name, round(float(l(yt, yp)), 5), l.reduction)
print(round(float(K.losses.SparseCategoricalCrossentropy(from_logits=True)(np.array([1, 2]), tf.constant(yp, tf.float32))), 5))
print(K.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")(np.array([1, 2]), yp).numpy().round(5))
print(K.losses.CategoricalCrossentropy(label_smoothing=0.1)(yt, yp).numpy(), K.losses.MeanSquaredError()(yt, yp, sample_weight=[0.5, 2.0]).numpy())
print(round(float(K.losses.BinaryCrossentropy(from_logits=True)(np.array([[0.],[1.]]), np.array([[-2.],[3.]]))), 5), K.losses.MeanSquaredError(reduction='sum')(yt, yp))
M = K.metrics
m = M.Mean(); m.update_state([1, 3, 5, 7]); print(m.result(), m.result().numpy()); m.reset_state(); m.update_state([1,3],sample_weight=[1,0]); print(m.result().numpy(), m)
for m, a in [(M.Accuracy(), ([1,2,3,4],[0,2,3,4])), (M.BinaryAccuracy(), ([[1],[1],[0],[0]],[[0.98],[1],[0],[0.6]])), (M.CategoricalAccuracy(), ([[0,0,1],[0,1,0]],[[.1,.9,.8],[.05,.95,0]])), (M.SparseCategoricalAccuracy(), ([[2],[1]],[[.1,.6,.3],[.05,.95,0]])), (M.TopKCategoricalAccuracy(k=2), ([[0,0,1],[0,1,0]],[[.1,.9,.8],[.05,.95,0]])), (M.Precision(), ([0,1,1,1],[1,0,1,1])), (M.Recall(), ([0,1,1,1],[1,0,1,1])), (M.Precision(thresholds=[.3,.7]), ([0,1,1,1],[.4,.8,.2,.9])), (M.AUC(num_thresholds=3), ([0,0,1,1],[0,.5,.3,.9])), (M.AUC(), ([0,0,1,1],[0,.5,.3,.9])), (M.AUC(curve='PR'), ([0,0,1,1],[0,.5,.3,.9])), (M.TruePositives(), ([0,1,1,1],[1,0,1,1])), (M.FalseNegatives(), ([0,1,1,1],[1,0,1,1])), (M.MeanSquaredError(), ([[0,1],[0,0]],[[1,1],[0,0]])), (M.RootMeanSquaredError(), ([[0,1],[0,0]],[[1,1],[0,0]])), (M.MeanAbsoluteError(), ([[0,1],[0,0]],[[1,1],[0,0]])), (M.MeanIoU(num_classes=2), ([0,0,1,1],[0,1,0,1])), (M.F1Score(threshold=.5), (np.array([[1,1,1],[1,0,0],[1,1,0]],np.int32), np.array([[.2,.6,.7],[.2,.6,.6],[.6,.8,0]],np.float32))), (M.R2Score(), (np.array([[1],[4],[3]],np.float32), np.array([[2],[4],[4]],np.float32))), (M.CategoricalCrossentropy(), ([[0,1,0],[0,0,1]],[[.05,.95,0],[.1,.8,.1]])), (M.Sum(), ([1,3,5],)), (M.CosineSimilarity(axis=1), ([[0.,1.],[1.,1.]],[[1.,0.],[1.,1.]]))]:
    m.update_state(*a); print(m.name, m, np.round(m.result().numpy(), 5), m.result().dtype)
print(M.Mean(name='x').variables); print(K.metrics.sparse_categorical_accuracy([1,2],[[.1,.8,.1],[.3,.3,.4]]).numpy())
print(K.metrics.get('accuracy') if False else K.metrics.get('mse'))
