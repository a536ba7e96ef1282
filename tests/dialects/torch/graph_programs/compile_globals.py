import torch
W = torch.ones(3,3)*0.5
cfg = {"scale": 2.0, "W": torch.ones(3)}
@torch.compile(backend="eager")
def f(x):
    y = x @ W
    print("hi")
    if y.sum() > 0:
        y = y * cfg["scale"]
    return y + cfg["W"]
print(f(torch.ones(2,3)))
print(f(torch.ones(2,3)))
print(f(-torch.ones(2,3)))
