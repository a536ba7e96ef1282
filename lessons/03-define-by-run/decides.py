import torch

w = torch.tensor([1.0, -2.0])

def model(x):
    h = (w * x).sum()
    if h > 0:
        return h * 10.0
    return torch.exp(h)

for x in [torch.tensor([3.0, 1.0]), torch.tensor([1.0, 2.0])]:
    print(model(x).item())
