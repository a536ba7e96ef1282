import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor([1.0, -1.0]))

    def forward(self, x):
        if x.sum() > 0:
            return self.w * x
        return x

torch.jit.script(Net()).save("net.pt")
del Net

net = torch.jit.load("net.pt")
print(net(torch.tensor([2.0, 3.0])))
print(net.code)
