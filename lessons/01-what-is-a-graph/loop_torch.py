import torch

n = torch.tensor(10.0)
s = torch.tensor(1.0)

while s < n:
    s = s * 2.0

print(s)
