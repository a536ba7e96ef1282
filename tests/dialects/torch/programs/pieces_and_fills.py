import torch
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def w(k, i, op=lambda p: p.mul_(2)):
    def f():
        a=torch.ones(4,2,requires_grad=True)*2; p=k(a)[i]; op(p); return type(p.grad_fn).__name__
    return f
tr(w(lambda a:a.split(2),1)); tr(w(lambda a:a.chunk(2),1)); tr(w(lambda a:a.unbind(),2)); tr(w(lambda a:a.split([1,3]),0)); tr(w(lambda a: list(a),1)); tr(w(lambda a: a.split(2),1,lambda p: p.zero_())); tr(w(lambda a: a.split(2),1,lambda p: p.__setitem__(0,1.)))
def ng():
    a=torch.ones(4,requires_grad=True)*2
    with torch.no_grad(): p,q=a.split(2); p.mul_(2)
    return a
tr(ng)
def ng2():
    a=torch.ones(4,requires_grad=True)*2
    p,q=a.split(2)
    with torch.no_grad(): p.mul_(2)
    return a.detach()
tr(ng2)
tr(lambda: torch.ones(4).split(2)[0].mul_(2))
def mf():
    a=torch.ones(4,requires_grad=True)*2; v=torch.tensor(3.,requires_grad=True); m=torch.tensor([True,False,True,False])
    a.masked_fill_(m,v); (a*torch.arange(4.)).sum().backward(); print(v.grad); return type(a.grad_fn).__name__
tr(mf)
def mf2():
    b=torch.ones(4,requires_grad=True); a=b*2; a[:2].masked_fill_(torch.tensor([True,False]),7.); a.sum().backward(); return a, b.grad
tr(mf2); tr(lambda: torch.zeros(2,2).masked_fill_(torch.tensor([True,False]),1)); tr(lambda: torch.zeros(2).masked_fill_(torch.tensor([1,0]),1))
x = torch.tensor([-1., 2.], requires_grad=True)
g, = torch.autograd.grad((torch.nn.functional.leaky_relu(x) ** 2).sum(), x, create_graph=True)
print(g, torch.autograd.grad(g.sum(), x))
