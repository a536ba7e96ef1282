# charts=1 pictures=2
import matplotlib.pyplot as plt
from tensorboardX import SummaryWriter
writer = SummaryWriter()
for step in range(2):
    fig, ax = plt.subplots()
    ax.plot([0, step])
    writer.add_figure("line", fig, step)
    writer.add_scalar("step", step)
writer.close()
