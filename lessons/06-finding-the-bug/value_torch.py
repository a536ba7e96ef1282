import torch

x = torch.tensor([4.0, 1.0, -1.0, 9.0])

r = torch.sqrt(x)
s = r * 2.0
total = s.sum()

print(total)
