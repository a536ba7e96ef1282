import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def forward(self, x):
        return self.layer(x)

example = torch.ones(1, 2)
torch.export.save(torch.export.export(Net(), (example,)), "net.pt2")

class Net(torch.nn.Module):
    def forward(self, x):
        return self.first(x)

program = torch.export.load("net.pt2")
print(program.module()(example).shape)
print(program.graph)
