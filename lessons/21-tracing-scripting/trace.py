import torch

def f(x):
    if x.sum() > 0:
        return x * 2.0
    return x - 1.0

traced = torch.jit.trace(f, torch.tensor([1.0, 2.0]))
print(traced(torch.tensor([1.0, 2.0])))
print(traced(torch.tensor([-1.0, -2.0])))
print(f(torch.tensor([-1.0, -2.0])))
