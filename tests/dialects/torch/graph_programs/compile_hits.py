import torch
import torch.nn as nn, torch.nn.functional as F
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1=nn.Linear(20,64); self.l2=nn.Linear(64,3); self.scale=2.0; self.bn=nn.BatchNorm1d(64,eps=1e-3)
    def forward(self,x, flip=False):
        h=F.relu(self.l1(x))*self.scale
        h=self.bn(h)
        if flip: h=-h
        return self.l2(h), h
torch.manual_seed(0)
n=Net(); c=torch.compile(n, backend="eager"); x=torch.randn(5,20)
o=torch.optim.SGD(n.parameters(),0.1)
for i in range(3):
    y,h=c(x); l=y.pow(2).mean(); o.zero_grad(); l.backward(); o.step(); print(round(l.item(),5))
print(n.bn.running_mean[:3], n.bn.num_batches_tracked)
n.eval(); print(c(x)[0][0]); print(c(x, True)[0][0]); n.scale=3.0; print(c(x)[0][0]); print(c(x)[0][0])
nn.init.zeros_(n.l2.weight); print(c(x)[0][0])
W=torch.ones(20,2)
def helper(a): return torch.sin(a)+1
@torch.compile(backend="eager")
def f(a,k,b=None):
    for i in range(k): a=helper(a)
    if b is not None: a=a+b
    return {"a":a@W,"k":k}
for _ in range(2): print(f(x,2)["a"].sum(), f(x,3)["a"].sum(), f(x,2,torch.ones(20))["a"].sum())
W=torch.zeros(20,2); print(f(x,2))
z=torch.ones(3,requires_grad=True)
@torch.compile(backend="eager")
def g(p,q): return p*q+p
print(g(z,z)); a,b=torch.ones(3)*2,torch.ones(3)*5; print(g(a,a),g(a,b),g(b,a),g(a,a)); g(z,z).sum().backward(); print(z.grad)
@torch.compile(backend="eager")
def dr(p): return F.dropout(p,0.5)
torch.manual_seed(1); print(dr(torch.ones(6)), dr(torch.ones(6)))
@torch.compile(backend="eager")
def inp(p): 
    p.add_(1); return p*2
q=torch.zeros(2); inp(q); inp(q); print(q)
