import torch

pred = torch.tensor([[1.0], [2.0], [3.0]])
target = torch.tensor([1.0, 2.0, 3.0])
loss = ((pred - target) ** 2).mean()
print(loss.item())
