# pictures=13
import numpy as np
import matplotlib.pyplot as plt
from matplotlib.animation import FuncAnimation
fig, ax = plt.subplots()
ax.set_xlim(0, 6)
ax.set_ylim(-1, 1)
line, = ax.plot([], [])
def frame(k):
    x = np.linspace(0, 6, 40)
    line.set_data(x, np.cos(x + k / 3))
    return (line,)
animation = FuncAnimation(fig, frame, frames=12, interval=40, blit=True)
plt.show()
