import torch

x = torch.tensor(2.0)
y = x ** 2 + 3.0 * x
print(y.item())
