import torch, torch.nn as nn, torch.nn.functional as F
from typing import List, Optional, Tuple, Dict
@torch.jit.script
def f(x, n: int):
    y = x
    for i in range(n):
        if i % 2 == 0:
            y = y + x * i
        else:
            y = y - 1
    return y
print(f.code)
print(f(torch.ones(2), 3), type(f), f.name)
print([n.kind() for n in f.graph.nodes()])
def kinds(b, d=0):
    for n in b.nodes():
        print("  "*d + n.kind(), [o.type().__str__() for o in n.outputs()])
        for bb in n.blocks(): kinds(bb, d+1)
kinds(f.graph)
@torch.jit.script
def g(x: torch.Tensor, t: float = 0.5, flag: bool = True) -> torch.Tensor:
    if flag and x.sum() > t:
        z = torch.relu(x)
    elif x.dim() == 1:
        z = -x
    else:
        z = F.softmax(x, dim=0)
    while bool(z.sum() < 10):
        z = z * 2
    return z
print(g.code); print(g(torch.ones(3)), g(-torch.ones(3)), g(torch.ones(3, 1), flag=False)); print(g.schema)
@torch.jit.script
def h(xs: List[torch.Tensor], d: Dict[str, int], o: Optional[int] = None) -> Tuple[torch.Tensor, int]:
    acc = torch.zeros(2)
    for x in xs:
        acc += x
    k = 0
    if o is not None:
        k = o + 1
    out: List[int] = []
    for i in range(3):
        out.append(i)
    print("hi", k, len(out))
    assert k < 100, "too big"
    return acc, k + d["a"]
print(h.code); print(h([torch.ones(2), torch.ones(2)], {"a": 3}, 4)); print(h.schema)
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3); self.k = 3; self.name = "hey"
        self.layers = nn.ModuleList([nn.Linear(3,3) for _ in range(2)])
        self.register_buffer("b", torch.ones(3))
        self.seq = nn.Sequential(nn.Linear(3, 1), nn.Tanh())
    def helper(self, x):
        return x * self.k
    def forward(self, x, h: Optional[torch.Tensor] = None):
        x = torch.relu(self.fc(x))
        for l in self.layers:
            x = l(x)
        if h is not None:
            x = x + h
        return self.seq(self.helper(x) + self.b)
    @torch.jit.export
    def extra(self, a: int) -> int:
        return a + self.k
    @torch.jit.ignore
    def skip(self, x: int) -> int:
        return x
torch.manual_seed(0)
m = M(); s = torch.jit.script(m)
print(s.code); print(s.helper.code if hasattr(s, "helper") else None); print(s.extra(3)); print(s); print(s.fc.code); print(s(torch.ones(1,2)), m(torch.ones(1,2)))
print(type(s), s.original_name, s.k, s.name, [n for n, _ in s.named_parameters()], list(s.state_dict()))
torch.jit.save(s, "scripted_a.pt"); l = torch.jit.load("scripted_a.pt"); print(l(torch.ones(1,2)), type(l), l.code == s.code, l.original_name)
s.save("scripted_b.pt"); l=torch.jit.load("scripted_b.pt"); print(l); print(l.fc.weight.shape, l.training); l.eval(); print(l.training)
