import math, torch, torch.nn as nn
torch.manual_seed(7)
n = 100
t = torch.rand(n) * math.pi
outer = torch.stack([torch.cos(t), torch.sin(t)], 1)
inner = torch.stack([1 - torch.cos(t), 0.5 - torch.sin(t)], 1)
X = torch.cat([outer, inner]) + 0.1 * torch.randn(2 * n, 2)
y = torch.cat([torch.zeros(n), torch.ones(n)])
class MLP(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 1))
    def forward(self, x): return self.net(x).squeeze(1)
m = MLP(); print(m); print(sum(p.numel() for p in m.parameters()))
opt = torch.optim.Adam(m.parameters(), lr=0.01)
crit = nn.BCEWithLogitsLoss()
for e in range(101):
    p = torch.randperm(2 * n); tot = 0.
    for i in range(0, 2 * n, 50):
        idx = p[i:i + 50]
        opt.zero_grad(); l = crit(m(X[idx]), y[idx]); l.backward(); opt.step(); tot += l.item() * len(idx)
    if e % 20 == 0:
        with torch.no_grad(): acc = ((m(X) > 0).float() == y).float().mean()
        print(f"epoch {e:3d} loss {tot / (2 * n):.4f} acc {acc:.3f}")
