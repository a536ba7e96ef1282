import torch
import torch.nn as nn
import torch.fx as fx
from torch.fx import symbolic_trace, Interpreter, Transformer, replace_pattern
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 2))
        self.register_buffer("b", torch.ones(2))
        self.lins = nn.ModuleList([nn.Linear(2,2) for _ in range(2)])
    def forward(self, x, scale: float = 2.0, *, k=None):
        for l in self.lins:
            pass
        y = self.seq(x) * scale + self.b
        y = y.view(y.shape[0], -1)
        a, b = y.chunk(2, dim=1)
        z = {"a": a[:, 0], "b": [b, (y,)]}
        y += 1
        return z, -y, y.T, torch.nn.functional.dropout(y, 0.5, self.training), getattr(y, "foo"), y[0:2, None, ...], 3 / y, 2 ** y, y == 1, ~y, y @ y.t(), y & y, abs(y), y // 2, y % 3, 5 - y
m = symbolic_trace(M())
print(m)
print(m.graph)
print(m.code)
for n in m.graph.nodes: print(repr(n), n.op, n.args, n.kwargs, n.users, n.format_node(), n.type)
def bad(x):
    for i in x: pass
def bad2(x):
    return len(x)
def bad3(x):
    return int(x)
def bad4(x):
    return range(x)
def bad5(x): return [1,2][x]
def bad6(x): 
    assert x.sum() > 0
    return x
def bad7(x): return "%s" % x, f"{x}"
def bad8(*xs, **kw): return xs[0] + 1
def bad9(x): return 1 in x
def bad10(x):
    while x.sum() < 3: x = x*2
    return x
def bad11(x): return x if x > 0 and x < 3 else 1
def bad12(x):
    a, b = x
    return a + b
def bad14(x):
    import math
    return math.sqrt(x)
def bad15(x):
    x[0] = 1
    return x
def bad16(x): return bool(x)
def bad17(x): return float(x)
def bad18(x): return x.item() + 1, torch.tensor([1., 2.]) + x, torch.ones(2)*x
def bad19(x): return max(x, 0), torch.add(x, torch.nn.Parameter(torch.ones(1)))
for f in [bad,bad2,bad3,bad4,bad5,bad6,bad7,bad8,bad9,bad10,bad11,bad12,bad14,bad15,bad16,bad17,bad18,bad19]:
    try:
        g = symbolic_trace(f)
        print(f.__name__, g.code)
    except BaseException as e:
        print(f.__name__, type(e).__module__, type(e).__name__, e)
