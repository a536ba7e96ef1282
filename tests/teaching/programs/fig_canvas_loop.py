# pictures=4
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
line, = ax.plot([0, 1], [0, 1])
plt.show(block=False)
for step in range(3):
    line.set_ydata([0, step + 2])
    ax.relim()
    ax.autoscale_view()
    fig.canvas.draw_idle()
    fig.canvas.flush_events()
