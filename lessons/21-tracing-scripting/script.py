import torch

@torch.jit.script
def f(x):
    if x.sum() > 0:
        return x * 2.0
    return x - 1.0

print(f(torch.tensor([1.0, 2.0])))
print(f(torch.tensor([-1.0, -2.0])))
print(f.code)
