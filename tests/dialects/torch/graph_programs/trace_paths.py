# What a trace keeps, and what it loses
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F


def branch(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    traced = torch.jit.trace(branch, torch.ones(2))
    print([w.category.__name__ for w in heard][:2])
    print(str(heard[1].message))
print(traced.code)
print(traced(-torch.ones(2)), branch(-torch.ones(2)))


def shapes(x):
    return x.view(x.size(0), -1).reshape(x.shape[0] * 2, -1) + x.shape[-1]


t = torch.jit.trace(shapes, torch.ones(2, 4))
print(t.code, t(torch.ones(3, 4)).shape)


def parts(x):
    y = x.clone()
    y[0] = 3
    y += 2
    a, b = y.chunk(2)
    return y[None, 1:], a, 3 - y, 1 / y, y**2, y.softmax(-1), F.gelu(y), y.masked_fill(y > 2, 0.5), y.mean(dim=0)


print(torch.jit.trace(parts, torch.ones(4)).code)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        self.act = nn.ReLU()
        self.seq = nn.Sequential(nn.Linear(3, 3), nn.Tanh())

    def forward(self, x):
        return self.seq(self.act(self.fc(x)))

    def twice(self, x):
        return self.fc(x) * 2


torch.manual_seed(0)
net = Net()
t = torch.jit.trace(net, torch.ones(1, 2))
print(t.code, t.fc.code, t.seq.code)
print(t)
print([n.kind() for n in t.graph.nodes()])
print([n.kind() for n in t.inlined_graph.nodes() if n.kind().startswith("aten")])
t.save("traced.pt")
loaded = torch.jit.load("traced.pt")
print(loaded)
print(torch.equal(loaded(torch.ones(1, 2)), net(torch.ones(1, 2))))
both = torch.jit.trace_module(net, {"forward": torch.ones(1, 2), "twice": torch.ones(1, 2)})
print(both.twice.code)
w = torch.ones(2, requires_grad=True)
for bad in (lambda x: x + w, lambda x: 3, lambda x: {"a": x}):
    try:
        torch.jit.trace(bad, torch.ones(2))
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
