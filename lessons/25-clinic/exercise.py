# ends: error RuntimeError
import torch

w = torch.tensor(0.0, requires_grad=True)
for step in range(15):
    loss = (w - 2.0) ** 2
    loss.backward()
    w -= 0.3 * w.grad
print("%.3f" % w.item())
