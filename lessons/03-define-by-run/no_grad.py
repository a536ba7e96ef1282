import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)

y = (w * 3.0).sum()
print(y.grad_fn)

with torch.no_grad():
    z = (w * 3.0).sum()
print(z.grad_fn)
