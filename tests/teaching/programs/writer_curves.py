# charts=3 pictures=1
import torch
from torch.utils.tensorboard import SummaryWriter
writer = SummaryWriter("runs/one")
for step in range(20):
    writer.add_scalar("loss", 1 / (step + 1), step)
    writer.add_scalars("accuracy", {"train": step / 20, "test": step / 25}, step)
writer.add_histogram("weights", torch.randn(100), 0)
writer.add_image("noise", torch.rand(3, 16, 16), 0)
writer.close()
