# title: One function, compiled and run
# group: PyTorch
# note: A graph break at print, and another compilation when the shape changes. Side by side shows it run eagerly.

import torch

W = torch.tensor([[0.6, -0.4], [0.3, 0.5]])


@torch.compile
def score(x, W):
    h = torch.relu(x @ W)
    print("rows", x.shape[0])
    return (h * 2.0).mean()


for rows in (2, 2, 3, 3):
    print(float(score(torch.ones(rows, 2), W)))
