# ends: error AttributeError
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def forward(self, x):
        return self.layer(x)

torch.save(Net(), "net.pt")

class Net(torch.nn.Module):
    def forward(self, x):
        return self.first(x)

net = torch.load("net.pt", weights_only=False)
print(net(torch.ones(2)))
