# title: The data decides how long the graph gets
# group: PyTorch
# note: A Python while asks a tensor's value, so the graph has as many nodes as the data needs.

import torch

x = torch.tensor([0.3, 0.4], requires_grad=True)

doubled = x
rounds = 0
while doubled.norm() < 10:
    doubled = doubled * 2
    rounds += 1

print("doubled", rounds, "times:", doubled.tolist())

doubled.sum().backward()
print("each x counts", x.grad.tolist())
