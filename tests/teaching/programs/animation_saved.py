# files=walk.gif prints=GIF89a
import matplotlib.pyplot as plt
from matplotlib.animation import FuncAnimation, PillowWriter
fig, ax = plt.subplots()
dots = ax.plot([0], [0], "o")[0]
ax.set(xlim=(0, 5), ylim=(0, 5))
def frame(k):
    dots.set_data([k], [k])
animation = FuncAnimation(fig, frame, frames=5)
animation.save("walk.gif", writer=PillowWriter(fps=5))
with open("walk.gif", "rb") as file:
    print(file.read(6))
