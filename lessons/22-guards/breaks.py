import torch

@torch.compile
def f(x):
    y = x * 2.0
    print("Python here", y.sum().item())
    return y + 1.0

print(f(torch.ones(2)))
