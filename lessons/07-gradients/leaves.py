import torch

x = torch.tensor([1.0, 2.0])
w = torch.tensor([3.0, 4.0], requires_grad=True)

h = w * x
loss = h.sum()
loss.backward()
print(w.grad)
print(x.grad)
print(h.is_leaf)
