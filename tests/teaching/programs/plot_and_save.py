# pictures=2 files=sine.png prints=saved
import numpy as np
import matplotlib.pyplot as plt
x = np.linspace(0, 6, 50)
plt.plot(x, np.sin(x), label="sine")
plt.legend()
plt.savefig("sine.png")
plt.show()
print("saved", len(plt.get_fignums()))
