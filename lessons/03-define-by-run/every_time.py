import torch

w = torch.tensor(0.0, requires_grad=True)

for step in range(3):
    loss = (w * 2.0 - 6.0) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    print(step, loss.item())
