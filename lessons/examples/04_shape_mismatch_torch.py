# title: A shape mismatch, found while running
# group: PyTorch
# note: The layers before the mistake have run and hold values. The error comes at the line that computes.

import torch

images = torch.ones(4, 6)
first = torch.full((6, 3), 0.5)
second = torch.full((4, 2), 0.1)

hidden = torch.relu(images @ first)
print("hidden is", tuple(hidden.shape))

scores = hidden @ second
print("scores are", tuple(scores.shape))
