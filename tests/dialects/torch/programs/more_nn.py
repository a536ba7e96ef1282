# odds and ends: weight tying, freezing, parameter groups, custom layers, buffers, containers, autoencoder
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(57)
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(4, 2)
        self.bias = nn.Parameter(torch.zeros(4))
    def forward(self, x):
        return F.linear(torch.sigmoid(self.enc(x)), self.enc.weight.t(), self.bias)
net = Tied()
x = torch.rand(6, 4)
opt = torch.optim.RMSprop(net.parameters(), lr=0.02)
for i in range(30):
    loss = F.mse_loss(net(x), x)
    opt.zero_grad(); loss.backward(); opt.step()
print(f"{loss.item():.5f}", net.enc.weight.grad.shape)
for p in net.enc.parameters():
    p.requires_grad = False
loss = F.mse_loss(net(x), x); opt.zero_grad(); loss.backward()
print([(n, p.grad is None) for n, p in net.named_parameters()])
class MyLinear(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(o, i) / i ** 0.5)
        self.register_buffer("steps", torch.tensor(0))
    def forward(self, x):
        self.steps += 1
        return x @ self.weight.T
    def extra_repr(self):
        return f"{tuple(self.weight.shape)}"
m = MyLinear(3, 2)
m(torch.ones(1, 3)); m(torch.ones(1, 3))
print(m, m.steps, list(m.state_dict().items()))
opt = torch.optim.SGD([{"params": [m.weight], "lr": 0.5, "weight_decay": 0.1}, {"params": net.bias}], lr=0.01, momentum=0.9)
m(torch.ones(1, 3)).sum().backward(); opt.step()
print(m.weight.data, opt.state[m.weight]["momentum_buffer"])
gru = nn.GRU(3, 4, num_layers=2, batch_first=True, bidirectional=True, dropout=0.2)
gru.eval()
o, h = gru(torch.randn(2, 5, 3))
print(o.shape, h.shape, o.mean().item() == o.mean().item(), f"{o.std():.4f} {h.sum():.4f}")
print(torch.allclose(o[:, -1, :4], h[2]), torch.allclose(o[:, 0, 4:], h[3]))
lin = nn.utils.parametrize if hasattr(nn.utils, "parametrize") else None
w = torch.randn(3, 3, requires_grad=True)
print(torch.tril(w), torch.triu(w, 1).sum(), w.trace(), torch.outer(w[0], w[1]))
print(F.pad(w, (1, 0, 0, 1)), w.softmax(-1).sum(-1))
a = torch.randn(2, 3, 4)
print(torch.einsum("bij,bkj->bik", a, a).shape, (a @ a.transpose(1, 2)).diagonal(dim1=1, dim2=2).shape, a.permute(2, 0, 1).shape)
print(a.max(dim=1).values.shape, a.argmax(-1), a.topk(2, dim=-1).indices[0], a.sort(dim=0)[0][:, 0, 0])
print(torch.cumsum(torch.arange(5), 0), torch.arange(5).flip(0), torch.arange(6).view(2, 3).repeat(1, 2), torch.linspace(0, 1, 5), torch.logspace(0, 2, 3), torch.eye(2), torch.full((2,), 7))
print(torch.tensor([1.0, 2.0]).type(), torch.arange(0, 1, 0.25), torch.zeros(2, dtype=torch.int8), torch.tensor([[1, 2]]).T, torch.ones(2, 2).mul(3).add(1).div(2).sub(0.5))
print(torch.cdist if False else "", torch.finfo(torch.float32).eps, torch.iinfo(torch.int64).max, torch.get_default_dtype())
