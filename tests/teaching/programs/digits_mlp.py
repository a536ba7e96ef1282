# notice=MNIST prints=learned.True
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
torch.manual_seed(0)
change = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
train = datasets.MNIST("data", train=True, download=True, transform=change)
test = datasets.MNIST("data", train=False, download=True, transform=change)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(3):
    for x, y in DataLoader(train, batch_size=100, shuffle=True, num_workers=2):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
with torch.no_grad():
    right = sum((model(x).argmax(1) == y).sum().item() for x, y in DataLoader(test, batch_size=250))
print("learned", right / len(test) > 0.9)
