# A tiny CNN that tells horizontal from vertical bars
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(17)
def make(n):
    x = torch.zeros(n, 1, 8, 8)
    y = torch.randint(0, 2, (n,))
    for i in range(n):
        k = torch.randint(0, 8, (1,)).item()
        if y[i] == 0:
            x[i, 0, k, :] = 1.0
        else:
            x[i, 0, :, k] = 1.0
    return x + 0.05 * torch.randn_like(x), y

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 8, 3), nn.ReLU())
        self.classifier = nn.Linear(8 * 2 * 2, 2)
    def forward(self, x):
        x = self.features(x)
        return self.classifier(x.view(x.size(0), -1))

x, y = make(32)
net = Net()
print(net)
print(net.features(x).shape)
opt = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
crit = nn.CrossEntropyLoss()
for step in range(20):
    opt.zero_grad()
    out = net(x)
    loss = crit(out, y)
    loss.backward()
    opt.step()
    if step % 5 == 0:
        pred = out.max(1, keepdim=True)[1]
        print(step, round(loss.item(), 4), pred.eq(y.view_as(pred)).sum().item())
net.eval()
xt, yt = make(16)
with torch.no_grad():
    print((net(xt).argmax(dim=1) == yt).sum().item(), "of", len(yt))
print(net.features[1].running_mean, net.features[1].num_batches_tracked)
for name, p in net.named_parameters():
    print(name, tuple(p.shape), round(p.grad.norm().item(), 3))
