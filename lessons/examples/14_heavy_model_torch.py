# title: A heavy model
# group: PyTorch
# note: Nearly all of its time goes into three large products. Side by side shows it compiled, and measures whether that pays.

import torch

torch.manual_seed(0)
x = torch.randn(256, 512)
W1 = torch.randn(512, 512) / 23
W2 = torch.randn(512, 512) / 23
W3 = torch.randn(512, 512) / 23


def model(x):
    h = x @ W1
    h = h @ W2
    return h @ W3


for call in range(6):
    out = model(x)
print(out.shape)
