import torch

w = torch.tensor(3.0, requires_grad=True)

a = w * 2.0
b = w * 5.0
loss = a + b
loss.backward()
print(w.grad)
