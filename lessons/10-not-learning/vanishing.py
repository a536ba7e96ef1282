import torch

torch.manual_seed(0)
X = torch.linspace(-1.0, 1.0, 8).reshape(8, 1)
Y = 2.0 * X + 1.0

layers = [torch.full((1, 1), 0.5, requires_grad=True) for _ in range(8)]
optimizer = torch.optim.SGD(layers, lr=0.2)

for step in range(20):
    h = X
    for W in layers:
        h = torch.sigmoid(h @ W)
    loss = ((h - Y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f" % loss.item())
