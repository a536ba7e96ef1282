import torch

W = torch.full((8, 8), 0.1)

def step(x):
    return torch.tanh(x @ W + 1.0) * 2.0 - 0.5

x = torch.ones(4, 8)
for k in range(60):
    y = step(x)
print("%.4f" % y.sum().item())
