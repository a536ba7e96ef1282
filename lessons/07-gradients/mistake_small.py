import torch

w = torch.tensor(0.0, requires_grad=True)

for step in range(20):
    loss = (w - 3.0) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad

print("%.3f" % w.item())
