# The graph is whatever Python did: branches, loops, early exit
import torch
import torch.nn as nn

torch.manual_seed(34)
def f(x):
    n = 0
    while x.norm() < 50:
        x = x * 2 if x.sum() > 0 else x * -3
        n += 1
    return x, n

for v in ([1.0, 2.0], [-0.5, -4.0], [30.0, 45.0]):
    x = torch.tensor(v, requires_grad=True)
    y, n = f(x)
    y.sum().backward()
    print(n, y, x.grad)

class DynamicNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp, self.mid, self.out = nn.Linear(3, 5), nn.Linear(5, 5), nn.Linear(5, 1)
    def forward(self, x, k):
        h = self.inp(x).clamp(min=0)
        for _ in range(k):
            h = self.mid(h).clamp(min=0)
        return self.out(h)

net = DynamicNet()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(4, 3), torch.randn(4, 1)
for step in range(6):
    loss = (net(x, step % 3) - y).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.4f}", net.mid.weight.grad is None, round(net.mid.weight.grad.abs().sum().item(), 4) if net.mid.weight.grad is not None else 0)
a = torch.tensor(2.0, requires_grad=True)
total = 0
for i in range(1, 5):
    term = a ** i / i
    if term > 3:
        break
    total = total + term
print(i, total)
total.backward()
print(a.grad)
def sel(x):
    return torch.sin(x) if x > 0 else x ** 2
b = torch.tensor([-1.0, 0.5], requires_grad=True)
torch.stack([sel(v) for v in b]).sum().backward()
print(b.grad)
mask = b > 0
print(torch.where(mask, b.sin(), b ** 2), mask.any(), (~mask).sum())
