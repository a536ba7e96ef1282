import torch
import torch.nn.functional as F

X = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])

W1 = torch.tensor([[0.5, -0.3, 0.8], [0.2, 0.9, -0.6]], requires_grad=True)
b1 = torch.tensor([0.1, 0.0, -0.1], requires_grad=True)
W2 = torch.tensor([[0.7], [-0.4], [0.6]], requires_grad=True)
b2 = torch.tensor([0.0], requires_grad=True)

h = F.relu(X @ W1 + b1)
pred = h @ W2 + b2
loss = F.mse_loss(pred, y)
loss.backward()
print(b2.grad)
