import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(4, 2, (3, 2), stride=2, bias=False), nn.AvgPool2d(2, 1, 1), nn.Flatten(), nn.Linear(12, 3),
)
print(net)
print(net[0].weight[0, 0].detach().numpy().round(4).tolist(), net[0].bias.detach().numpy().round(4).tolist())
x = torch.randn(5, 1, 8, 8)
print(net[:6](x).shape)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
target = torch.tensor([0, 1, 2, 0, 1])
for step in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(x), target)
    loss.backward()
    optimizer.step()
    print("%.4f" % loss.item(), net[4].weight.grad.abs().sum().item().__round__(3))
net.eval()
print(net(x)[0].detach().numpy().round(3).tolist())
image = torch.arange(16.0).reshape(1, 4, 4).requires_grad_()
y = F.max_pool2d(image, 2)
print(y.grad_fn.name(), y.tolist(), F.avg_pool2d(image, 2, padding=1).shape)
z = F.conv2d(image, torch.ones(1, 1, 2, 2), torch.tensor([0.5]), padding="same")
print(net[0](x).grad_fn.name(), z.tolist())
y.sum().backward()
print(image.grad.tolist())
for bad in (
    lambda: net[0](torch.ones(2, 3, 4, 4)),
    lambda: net[0](torch.ones(4)),
    lambda: net[1](torch.ones(2, 4)),
    lambda: nn.Conv2d(1, 1, 5)(torch.ones(1, 1, 3, 3)),
):
    try:
        bad()
    except Exception as error:
        print(type(error).__name__, error)
