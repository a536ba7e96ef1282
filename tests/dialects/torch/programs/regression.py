import torch

torch.manual_seed(7)
x = torch.linspace(0, 2, 8).reshape(-1, 1)
y = 3 * x - 1 + 0.1 * torch.randn(8, 1)
w = torch.randn(1, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for step in range(12):
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.2 * w.grad
        b -= 0.2 * b.grad
    w.grad = None
    b.grad = None
    if step % 4 == 0:
        print(step, f"{loss.item():.4f}", w, b)
print(y.flatten())
