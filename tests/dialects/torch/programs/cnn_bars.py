import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(4)
def bars(n):
    x = torch.zeros(n, 1, 8, 8); y = torch.randint(0, 2, (n,))
    for i in range(n):
        k = torch.randint(0, 8, (1,)).item()
        if y[i] == 0: x[i, 0, k, :] = 1
        else: x[i, 0, :, k] = 1
    return x + 0.1 * torch.randn_like(x), y
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1); self.conv2 = nn.Conv2d(4, 8, 3); self.pool = nn.MaxPool2d(2); self.fc = nn.Linear(8, 2)
    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x))); x = self.pool(F.relu(self.conv2(x))); return self.fc(torch.flatten(x, 1))
net = Net(); print(net); X, Y = bars(40)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for e in range(12):
    opt.zero_grad(); out = net(X); loss = F.cross_entropy(out, Y); loss.backward(); opt.step()
    if e % 3 == 0: print(e, f"{loss.item():.4f}", (out.argmax(1) == Y).sum().item())
for n, p in net.named_parameters(): print(n, tuple(p.shape), f"{p.grad.norm():.4f}")
print(F.conv2d(torch.arange(16.).reshape(1, 1, 4, 4), torch.ones(1, 1, 2, 2), stride=2))
print(F.max_pool2d(torch.arange(16.).reshape(1, 1, 4, 4), 2, return_indices=True))
print(F.unfold(torch.arange(9.).reshape(1, 1, 3, 3), 2)); print(F.avg_pool2d(torch.arange(9.).reshape(1, 1, 3, 3), 2, 1))
try: net(torch.zeros(1, 3, 8, 8))
except RuntimeError as e: print(e)
try: net.fc(torch.zeros(2, 9))
except RuntimeError as e: print(e)
c3 = nn.Conv3d(1, 2, 2); print(c3, c3(torch.ones(1, 1, 3, 3, 3)).shape)
try: nn.Conv2d(3, 4, 3, groups=2)
except ValueError as e: print(e)
try: F.conv2d(torch.zeros(1, 1, 2, 2), torch.zeros(1, 1, 3, 3))
except RuntimeError as e: print(e)
