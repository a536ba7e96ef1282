# A backend of one's own: print, count, change
import operator
import torch
import torch.nn as nn
from torch._dynamo.testing import CompileCounter


def changing(gm, example_inputs):
    for n in gm.graph.nodes:
        if n.op == "call_function" and n.target == operator.add:
            n.target = operator.mul
    gm.recompile()
    return gm.forward


@torch.compile(backend=changing)
def f(x):
    return x + x


print(f(torch.full((2,), 3.0)))
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
counter = CompileCounter()
compiled = torch.compile(model, backend=counter)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for step in range(3):
    loss = ((compiled(x) - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.4f}")
print(counter.frame_count, counter.op_count)
compiled.eval()
with torch.no_grad():
    compiled(x)
print(counter.frame_count)
print(torch.compile(lambda t: t * 2)(torch.ones(2)))


def collatz_like(x):
    steps = 0
    while x.sum() > 1:
        x = x / 2
        steps += 1
    return x, steps


counter.clear()
g = torch.compile(collatz_like, backend=counter)
print(g(torch.tensor([4.0])), counter.frame_count > 0)


def broken(gm, example_inputs):
    raise ValueError("no")


try:
    torch.compile(lambda x: x + 1, backend=broken)(torch.ones(1))
except Exception as e:
    print(type(e).__name__, str(e).splitlines()[:2])
try:
    torch.compile(lambda x: x + 1, backend="nope")(torch.ones(1))
except Exception as e:
    print(type(e).__name__, e)
