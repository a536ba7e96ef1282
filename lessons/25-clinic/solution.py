import torch

w = torch.tensor(0.0, requires_grad=True)
for step in range(15):
    loss = (w - 2.0) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.3 * w.grad
    w.grad = None
print("%.3f" % w.item())
