import torch

pred = torch.tensor([1.0, 4.0, 2.0, 6.0])
target = torch.tensor([2.0, 2.0, 4.0, 5.0])

diff = pred - target
loss = sum(d ** 2 for d in diff.tolist()) / 4

print(loss)
