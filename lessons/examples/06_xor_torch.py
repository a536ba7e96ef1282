# title: A small network learns xor
# group: PyTorch
# note: Two layers, and the gradients of both on their way back through relu.

import torch
import torch.nn.functional as F

X = torch.tensor([[0., 0.], [0., 1.],
                  [1., 0.], [1., 1.]])
y = torch.tensor([[0.], [1.], [1.], [0.]])

W1 = torch.tensor([[0.9, -0.7, 0.4],
                   [0.8, 0.6, -0.5]])
b1 = torch.zeros(3)
W2 = torch.tensor([[0.7], [-0.4], [0.5]])
b2 = torch.zeros(1)
params = [W1, b1, W2, b2]
for p in params:
    p.requires_grad_()

for step in range(3):
    h = torch.relu(X @ W1 + b1)
    pred = h @ W2 + b2
    loss = F.mse_loss(pred, y)
    loss.backward()
    print(f"step {step}  loss {loss.item():.4f}")
    with torch.no_grad():
        for p in params:
            p -= 0.3 * p.grad
            p.grad = None
