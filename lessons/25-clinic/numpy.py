# ends: error RuntimeError
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
curve = (w * 3.0).numpy()
print(curve)
