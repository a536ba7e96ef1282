import torch

def clip(x):
    if x.max() > 1.0:
        return x / x.max()
    return x

frozen = clip

small = frozen(torch.tensor([0.5, 0.2]))
large = frozen(torch.tensor([4.0, 2.0]))
print(small, large, type(frozen).__name__)
