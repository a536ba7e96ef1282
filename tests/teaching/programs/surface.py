# pictures=1
import numpy as np
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D
a, b = np.meshgrid(np.linspace(-2, 2, 20), np.linspace(-2, 2, 20))
ax = plt.figure().add_subplot(projection="3d")
ax.plot_surface(a, b, a ** 2 - b ** 2, cmap="viridis")
ax.set_title(r"$a^2 - b^2$")
plt.show()
