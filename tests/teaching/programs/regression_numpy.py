# prints=close
import numpy as np
from sklearn.datasets import make_regression
from sklearn.metrics import mean_squared_error, r2_score
X, y, true = make_regression(n_samples=120, n_features=3, noise=1.0, coef=True, random_state=1)
found = np.linalg.lstsq(X, y, rcond=None)[0]
print("close", np.abs(found - true).max() < 1, round(r2_score(y, X @ found), 2))
