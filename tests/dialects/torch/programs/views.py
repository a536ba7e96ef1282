# Views share memory: slices, transposes and what in-place writes do to both
import torch

base = torch.arange(12.0).reshape(3, 4)
row = base[1]
col = base[:, 2]
t = base.t()
row.zero_()
print(base)
col += 100
print(base, row)
t[0, 0] = -1
print(base[0, 0], base._version, row._version, t._version)
print(row.data_ptr() == base[1].data_ptr(), base.storage_offset(), row.storage_offset(), col.stride(), t.is_contiguous())
flat = t.reshape(-1)
flat[0] = 999
print(base[0, 0], t.contiguous().is_contiguous(), t.contiguous().stride())
try:
    t.view(-1)
except RuntimeError as e:
    print("RuntimeError:", e)
c = base.clone()
c.fill_(0)
print(base.sum(), c.sum())
e = torch.tensor([[1], [2]]).expand(2, 3)
print(e, e.stride(), e.is_contiguous())
leaf = torch.ones(2, 2, requires_grad=True)
v = (leaf * 2)
s = v[0]
s.mul_(10)
print(v, s, v.grad_fn.name(), s.grad_fn.name())
v.sum().backward()
print(leaf.grad)
n = base.numpy()
n[0, 1] = 77
print(base[0])
print(base.view(2, 6).shape, base.view(-1, 2)[:2], base.unsqueeze(0).shape, base[None, :, 0].shape)
d = leaf.detach()
d[0, 0] = 5
print(leaf)
print(base.diagonal(), base.unfold(1, 2, 2)[0], base.chunk(2, dim=1)[1], base.narrow(0, 1, 2))
a, b, c3 = base.unbind(0)
print(a, torch.equal(a, base[0]), base.select(1, 3))
