import torch, torch.nn as nn
import torch._dynamo as dynamo
import warnings
seen = []
def my_backend(gm, example_inputs):
    print("COMPILE", type(gm).__name__, [tuple(e.shape) for e in example_inputs if hasattr(e, "shape")])
    for n in gm.graph.nodes: print("  ", n.op, n.name, getattr(n.target, "__name__", n.target), n.args)
    print(gm.code)
    return gm.forward
@torch.compile(backend=my_backend)
def f(x, y):
    a = torch.sin(x) * 2
    b = torch.cos(y).sum()
    if b > 0:
        return a + b
    return a - b
print(f(torch.ones(3), torch.ones(3)))
print(f(torch.ones(3), torch.ones(3)))
print(f(torch.ones(3), torch.full((3,), 3.0)))


dynamo.reset()
@torch.compile(backend=my_backend)
def g(x):
    y = x + 1
    print("side", y.shape)
    z = y.sum().item()
    return y * z
print(g(torch.ones(2)))
class M(nn.Module):
    def __init__(self):
        super().__init__(); self.fc = nn.Linear(2, 2); self.k = 3
    def forward(self, x): return torch.relu(self.fc(x)) * self.k
torch.manual_seed(0)
m = M(); c = torch.compile(m, backend=my_backend); print(c(torch.ones(1, 2))); print(type(c).__name__); print(c)
print(c(torch.ones(1,2)).requires_grad); c(torch.ones(1,2)).sum().backward(); print(m.fc.weight.grad)
print([n for n, _ in c.named_parameters()])
def h(x):
    return x.sin() + torch.tensor([1.0])
ex = dynamo.explain(f)(torch.ones(3), torch.ones(3))
print(ex.graph_count, ex.graph_break_count, ex.op_count, len(ex.break_reasons), len(ex.graphs))
def brk(x):
    x = x * 2
    torch._dynamo.graph_break()
    return x + 1
ex = dynamo.explain(brk)(torch.ones(3)); print(ex.graph_count, ex.graph_break_count, ex.op_count, [b.reason for b in ex.break_reasons])
s = str(ex).replace(__file__, "F").split("Out Guards")[0]; print(s)
try:
    torch.compile(brk, fullgraph=True, backend="eager")(torch.ones(2))
except Exception as e: print(type(e).__module__, type(e).__name__, str(e).replace(__file__, "F"))
try:
    @torch.compile(fullgraph=True, backend="eager")
    def ff(x):
        if x.sum() > 0: return x
        return -x
    ff(torch.ones(2))
except Exception as e: print(type(e).__name__, str(e).replace(__file__, "F"))
try:
    @torch.compile(fullgraph=True, backend="eager")
    def ff(x):
        return x * x.sum().item()
    print(ff(torch.ones(2)))
except Exception as e: print(type(e).__name__, str(e).replace(__file__, "F"))
try:
    @torch.compile(fullgraph=True, backend="eager")
    def ff(x):
        print("hello")
        return x
    ff(torch.ones(2))
except Exception as e: print(type(e).__name__, str(e).replace(__file__, "F"))
