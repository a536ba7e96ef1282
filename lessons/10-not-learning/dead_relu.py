import torch

torch.manual_seed(0)
X = torch.linspace(-1.0, 1.0, 8).reshape(8, 1)
Y = 2.0 * X + 1.0

W1 = torch.full((1, 4), 0.5, requires_grad=True)
b1 = torch.full((4,), -3.0, requires_grad=True)
W2 = torch.full((4, 1), 0.5, requires_grad=True)
optimizer = torch.optim.SGD([W1, b1, W2], lr=0.2)

for step in range(20):
    h = torch.relu(X @ W1 + b1)
    loss = ((h @ W2 - Y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f" % loss.item())
