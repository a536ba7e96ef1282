import torch

torch.manual_seed(0)
X = torch.linspace(-1.0, 1.0, 8).reshape(8, 1)
Y = 2.0 * X + 1.0

W = torch.zeros(1, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([W, b], lr=0.2)

for step in range(40):
    with torch.no_grad():
        h = X @ W
    loss = ((h + b - Y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f" % loss.item())
