import torch

w = torch.tensor(1.0, requires_grad=True)
x = torch.tensor(2.0)

for step in range(6):
    loss = (w * x - 4.0) ** 2
    if step >= 3:
        loss = loss * 2.0
    print(step, loss.item())
