import torch

x = torch.tensor(3.0, requires_grad=True)
for scale in (2.0, 5.0):
    y = x * scale
    if scale > 3.0:
        y = y + 1.0
    y.backward()
    print(y.item(), y.grad_fn)
