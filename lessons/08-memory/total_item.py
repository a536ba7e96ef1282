import torch

w = torch.tensor(1.0, requires_grad=True)
data = [1.0, 2.0, 3.0, 4.0]

total = 0.0
for x in data:
    loss = (w * x - 2.0 * x) ** 2
    total += loss.item()

print(total)
