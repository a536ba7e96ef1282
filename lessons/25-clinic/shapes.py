# ends: error RuntimeError
import torch

x = torch.ones(8, 3)
W = torch.ones(2, 3)
print(x @ W)
