import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
X = torch.randn(24, 4)
Y = (X[:, :1] * 2 - X[:, 1:2]).tanh()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.norm = nn.LayerNorm(8)
        self.second = nn.Linear(8, 1)

    def forward(self, x):
        return self.second(F.relu(self.norm(self.first(x))))


for make in (lambda p: optim.SGD(p, lr=0.1, momentum=0.5), lambda p: optim.Adam(p, lr=0.02)):
    net = Net()
    optimizer = make(net.parameters())
    scheduler = optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    for epoch in range(4):
        total = 0.0
        for x, y in DataLoader(TensorDataset(X, Y), batch_size=8):
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        scheduler.step()
        print(epoch, f"{total:.4f}", scheduler.get_last_lr())
print(net)
net.eval()
with torch.no_grad():
    print(net(X[:3]))
print([tuple(p.shape) for p in net.parameters()])
