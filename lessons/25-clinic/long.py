# ends: error RuntimeError
import torch

x = torch.tensor([1, 2, 3])
w = torch.tensor([0.5, 0.5, 0.5], requires_grad=True)
print(torch.dot(x, w))
