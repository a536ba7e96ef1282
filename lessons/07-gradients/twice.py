import torch

w = torch.tensor(1.0, requires_grad=True)

for step in range(3):
    loss = w * 4.0
    loss.backward()
    print(step, w.grad)
