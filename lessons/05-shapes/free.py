import torch

W = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]])

for rows in (1, 3, 2):
    x = torch.ones(rows, 2)
    h = x @ W
    print(h.shape, h.sum().item())
