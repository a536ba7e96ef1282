import torch

x = torch.full((64, 64), 0.01)
for step in range(3):
    a = torch.exp(x * 0.1)
    b = a @ a
    c = torch.tanh(b)
    d = c @ c
    e = torch.sqrt(torch.abs(d))
    print(e.sum().item() > 0)
