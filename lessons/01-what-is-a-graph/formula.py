import torch

a = torch.tensor(2.0)
b = torch.tensor(3.0)

s = a + b
t = b + 1
y = s * t
print(y)
