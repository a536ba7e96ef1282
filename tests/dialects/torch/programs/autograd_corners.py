import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x.clone()
y[1] = 10.0
y[0] *= 3
print(y, y.sum().grad_fn.name())
y.sum().backward()
print(x.grad)
x.grad.zero_()

v = (x * 2).view(3, 1)
v.mul_(x.detach().view(3, 1))
print(v.grad_fn.name(), v.flatten())
v.sum().backward()
print(x.grad)

a = torch.tensor(1.5, requires_grad=True)
b = torch.sin(a) * torch.exp(a)
(g,) = torch.autograd.grad(b, a, create_graph=True)
(h,) = torch.autograd.grad(g, a, create_graph=True)
(k,) = torch.autograd.grad(h, a)
print(g, h, k)

w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
print(torch.autograd.functional.jacobian(lambda t: (t @ t).sum(1), w))
print(torch.autograd.functional.hessian(lambda t: (t**3).sum(), torch.tensor([1.0, 2.0])))

c = torch.ones(2, requires_grad=True)
d = (c * 3).detach()
print(d.requires_grad, (c * d).grad_fn.name(), c.is_leaf, d.is_leaf)
with torch.no_grad():
    print((c * 2).requires_grad)
    with torch.enable_grad():
        print((c * 2).requires_grad)
m = torch.zeros(3, requires_grad=True)
n = m + torch.tensor([1.0, 2.0, 3.0]).max()
n.backward(torch.tensor([1.0, 10.0, 100.0]))
print(m.grad)
idx = torch.tensor([0, 0, 2])
e = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
e[idx].sum().backward()
print(e.grad)
f = torch.tensor([[1.0, 5.0, 5.0]], requires_grad=True)
f.max().backward()
print(f.grad)
f.grad = None
f.max(1).values.sum().backward()
print(f.grad)
z = torch.zeros(2, 3)
z[:, 1] = 4
z[z > 3] = -1
print(z)
