import torch

x = torch.tensor([0.5, -0.25, 1.0], requires_grad=True)
y = x
rounds = 0
while y.norm() < 100:
    y = y * 3 if y.sum() > 0 else -y
    rounds += 1
print(rounds, y)
y.sum().backward()
print(x.grad)
n, steps = torch.tensor(11), 0
while n != 1:
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    steps += 1
print(steps, n, n.dtype)
