import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
W = torch.tensor([[1.0, 2.0]])

h = x @ W.T
y = h.sum()
print(y)
