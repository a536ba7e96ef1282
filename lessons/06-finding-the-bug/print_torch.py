import torch

x = torch.tensor([1.0, 2.0])
h = x * 3.0
print("h is", h)
y = h.sum()
print("y is", y)
