# ends: error RuntimeError
import torch

w = torch.tensor(3.0, requires_grad=True)
loss = (w * w) ** 2

loss.backward()
print("first", w.grad)
loss.backward()
print("second", w.grad)
