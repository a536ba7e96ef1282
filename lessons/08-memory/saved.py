import torch

x = torch.tensor([1.0, -2.0, 3.0])
w = torch.tensor([2.0, 2.0, 2.0], requires_grad=True)

a = w * x
b = torch.exp(a)
c = b + 1.0
loss = c.sum()

del a, b, c
loss.backward()
print(w.grad)
