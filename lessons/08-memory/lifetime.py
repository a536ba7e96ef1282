import torch

W = torch.randn(64, 64, requires_grad=True)
x = torch.randn(32, 64)

h = torch.relu(x @ W)
loss = h.pow(2).mean()
loss.backward()

del h
loss = None
print("done")
