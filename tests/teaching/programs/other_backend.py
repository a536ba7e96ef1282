# pictures=1 prints=TkAgg
import matplotlib
matplotlib.use("TkAgg")
import matplotlib.pyplot as plt
plt.imshow([[0, 1], [1, 0]], cmap="gray")
plt.colorbar()
plt.show()
print(matplotlib.get_backend())
