import torch

def count_down(x):
    while x.sum() > 1.0:
        x = x / 2.0
    return x

traced = torch.jit.trace(count_down, torch.tensor([8.0]))
print(traced(torch.tensor([8.0])))
print(traced(torch.tensor([100.0])))
