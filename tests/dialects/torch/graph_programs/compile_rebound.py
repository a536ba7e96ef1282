import torch
import torch.nn as nn
x = torch.ones(2)
def compiled(f): return torch.compile(f, backend="eager")

# names that come to stand for something else between calls
def helper(a): return a * 2
act, layer = torch.relu, nn.Linear(2, 1)
@compiled
def f(x): return helper(x)
@compiled
def g(x): return act(x)
@compiled
def h(x): return layer(x)
for _ in range(2): f(x), g(-x), h(x)
def helper(a): return a * 10
act, layer = torch.abs, nn.Sequential(nn.Linear(2, 1))
nn.init.ones_(layer[0].weight); nn.init.zeros_(layer[0].bias)
print(f(x), g(-x), h(x))

class Counting(nn.Module):
    def __init__(self): super().__init__(); self.log = []
    def forward(self, x): self.log.append(1); return x
class Net(nn.Module):
    def __init__(self): super().__init__(); self.act = nn.ReLU(); self.fn = torch.relu
    def forward(self, x): return self.fn(self.act(x))
net = Net(); c = compiled(net)
for _ in range(2): c(-x)
net.act = Counting(); net.fn = torch.abs
print(c(-x), c(-x), len(net.act.log))

# closures, and how an argument lies in memory
scale = 1.
def make(scale):
    class Scaled(nn.Module):
        def forward(self, x): return x * scale
    def change(value): nonlocal scale; scale = value
    return Scaled(), change
scaled, change = make(2.); c = compiled(scaled)
print(c(x), c(x)); change(5.); print(c(x))
@compiled
def lies(x): return x * 2 if x.is_contiguous() else x * 3
a = torch.arange(4.).reshape(2, 2); lies(a); lies(a); print(lies(a.t()))
