# Gradients of gradients: penalties, Newton steps, Hessian-vector products
import torch
import torch.nn as nn

torch.manual_seed(12)
x = torch.tensor(2.0, requires_grad=True)
f = x ** 4 - 3 * x ** 2
d1, = torch.autograd.grad(f, x, create_graph=True)
d2, = torch.autograd.grad(d1, x, create_graph=True)
d3, = torch.autograd.grad(d2, x)
print(d1, d2, d3)
w = torch.tensor(0.7, requires_grad=True)
for i in range(4):
    y = w.cos() + w ** 2
    g, = torch.autograd.grad(y, w, create_graph=True)
    h, = torch.autograd.grad(g, w)
    w.data -= (g / h).data
    print(i, f"{w.item():.6f} {g.item():.6f}")
net = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))
real, fake = torch.randn(5, 3), torch.randn(5, 3)
eps = torch.rand(5, 1)
mix = (eps * real + (1 - eps) * fake).requires_grad_()
out = net(mix)
g = torch.autograd.grad(outputs=out, inputs=mix, grad_outputs=torch.ones_like(out), create_graph=True, retain_graph=True, only_inputs=True)[0]
gp = ((g.norm(2, dim=1) - 1) ** 2).mean()
gp.backward()
print(f"{gp.item():.5f}", net[0].weight.grad.norm(), net[2].bias.grad, [p.grad is None for p in net.parameters()])
v = torch.tensor([1.0, -1.0, 0.5])
p = torch.tensor([0.3, 0.2, -0.1], requires_grad=True)
loss = (p.exp() * p.sum()).sum()
gr, = torch.autograd.grad(loss, p, create_graph=True)
hv, = torch.autograd.grad(gr @ v, p)
print(hv, torch.autograd.functional.hessian(lambda q: (q.exp() * q.sum()).sum(), p) @ v)
for fn in (torch.sigmoid, torch.tanh, nn.functional.gelu, nn.functional.silu, nn.functional.elu, lambda t: nn.functional.log_softmax(t, 0).pow(2), lambda t: t / t.norm(), lambda t: nn.functional.layer_norm(t, (3,)).pow(3), lambda t: t.std() * t):
    q = torch.tensor([0.5, -1.2, 2.0], requires_grad=True)
    a, = torch.autograd.grad(fn(q).sum(), q, create_graph=True)
    b = torch.autograd.grad(a.pow(2).sum(), q, allow_unused=True)[0] if a.requires_grad else None
    print(a.detach(), b)
conv = nn.Conv2d(1, 2, 2)
im = torch.randn(1, 1, 3, 3, requires_grad=True)
a, = torch.autograd.grad(conv(im).pow(3).sum(), im, create_graph=True)
a.pow(2).sum().backward()
print(im.grad, conv.weight.grad.sum(), conv.bias.grad)
