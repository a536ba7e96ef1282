import torch

x = torch.tensor([[1.0, 2.0]])
y = torch.tensor([[1.0]])
W = torch.tensor([[0.5], [-0.5]], requires_grad=True)

pred = x @ W
loss = ((pred - y) ** 2).mean()
loss.backward()
print(W.grad)
