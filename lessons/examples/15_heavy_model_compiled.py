# title: A heavy model, compiled
# group: PyTorch
# note: A plan makes large products no faster, so compiling pays late, if at all. Side by side shows it run eagerly.

import torch

torch.manual_seed(0)
x = torch.randn(256, 512)
W1 = torch.randn(512, 512) / 23
W2 = torch.randn(512, 512) / 23
W3 = torch.randn(512, 512) / 23


@torch.compile
def model(x):
    h = x @ W1
    h = h @ W2
    return h @ W3


for call in range(6):
    out = model(x)
print(out.shape)
