# Broadcasting forwards means summing backwards
import torch

a = torch.arange(6.0).view(2, 3).requires_grad_()
b = torch.tensor([10.0, 20.0, 30.0], requires_grad=True)
c = torch.tensor([[1.0], [2.0]], requires_grad=True)
s = torch.tensor(3.0, requires_grad=True)
out = (a * b + c) / s
print(out)
out.backward(torch.ones_like(out))
for n, t in zip("abcs", (a, b, c, s)):
    print(n, t.grad.shape, t.grad)
x = torch.ones(4, 1, 3)
y = torch.ones(5, 1)
print((x + y).shape, torch.broadcast_shapes((4, 1, 3), (5, 1)))
for p, q in [((3,), (4,)), ((2, 3), (2,)), ((2, 1, 3), (2, 4, 2))]:
    try:
        print((torch.ones(p) + torch.ones(q)).shape)
    except RuntimeError as e:
        print(p, q, e)
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
((m - m.mean(0, keepdim=True)) / m.std(0)).pow(2).sum().backward()
print(m.grad)
w = torch.full((3,), 2.0, requires_grad=True)
(w.expand(4, 3).sum() + w.unsqueeze(1).expand(3, 2).prod()).backward()
print(w.grad)
try:
    torch.ones(2, 3).add_(torch.ones(3, 3))
except RuntimeError as e:
    print(e)
try:
    torch.ones(3).add_(torch.ones(2, 3))
except RuntimeError as e:
    print(e)
print(torch.where(torch.tensor([True, False]), a[:, :2], s), torch.max(a, s))
