# ends: error RuntimeError
import torch

w = torch.tensor(3.0, requires_grad=True)
y = w * w
a = y * 2.0
b = y * 5.0
a.backward()
b.backward()
print(w.grad)
