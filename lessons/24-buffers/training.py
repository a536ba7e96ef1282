import torch

x = torch.full((64, 64), 0.01)
W = torch.full((64, 64), 0.01, requires_grad=True)
a = torch.exp(x @ W)
b = torch.tanh(a)
c = torch.exp(b)
loss = c.sum()
loss.backward()
print(W.grad.shape)
