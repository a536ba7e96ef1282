# pictures=4
import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import make_blobs
points, _ = make_blobs(n_samples=90, centers=3, random_state=2)
centres = points[:3].copy()
for step in range(4):
    nearest = ((points[:, None] - centres) ** 2).sum(-1).argmin(1)
    centres = np.array([points[nearest == k].mean(0) if (nearest == k).any() else centres[k] for k in range(3)])
    plt.figure()
    plt.scatter(*points.T, c=nearest)
    plt.plot(*centres.T, "k*", ms=14)
    plt.title(f"step {step}")
    plt.show()
