# The way tutorials were written in 2017
import io

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable

def attempt(label, fn):
    try:
        print(label, "->", fn())
    except Exception as e:
        print(label, "->", type(e).__name__ + ":", str(e).splitlines()[0])

torch.manual_seed(59)
buffer = io.BytesIO()


def rewound():
    buffer.seek(0)
    return buffer


x = Variable(torch.randn(8, 3))
y = Variable(torch.LongTensor([0, 1, 0, 1, 1, 0, 1, 0]))
net = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2), nn.LogSoftmax())
opt = optim.SGD(net.parameters(), lr=0.1)
for i in range(5):
    opt.zero_grad()
    out = net(x)
    loss = F.nll_loss(out, y, size_average=True)
    loss.backward()
    opt.step()
print(loss.data, f"{float(loss.data):.6f}")
attempt("data[0]", lambda: loss.data[0])
attempt("volatile", lambda: Variable(torch.ones(1), volatile=True).requires_grad)
attempt("softmax", lambda: F.softmax(torch.ones(2, 2)))
attempt("tanh", lambda: F.tanh(torch.zeros(1)))
attempt("sigmoid", lambda: F.sigmoid(torch.zeros(1)))
attempt("reduce", lambda: nn.MSELoss(size_average=False)(torch.ones(2), torch.zeros(2)))
attempt("reduce2", lambda: nn.MSELoss(reduce=False)(torch.ones(2), torch.zeros(2)))
attempt("init", lambda: nn.init.constant(torch.empty(2), 3))
attempt("Tensor", lambda: (torch.Tensor(2, 2).shape, torch.Tensor([1, 2]), torch.FloatTensor(3).zero_(), torch.LongTensor([3]), torch.ByteTensor([1, 0])))
attempt("IntTensor", lambda: (torch.IntTensor([1]).type(), torch.DoubleTensor([1]).dtype, torch.Tensor().shape))
attempt("max", lambda: torch.max(out.data, 1)[1])
attempt("eq", lambda: (torch.max(out, 1)[1].data == y.data).sum())
attempt("eq2", lambda: out.data.max(1)[1].eq(y.data).cpu().sum())
attempt("next", lambda: iter(torch.utils.data.DataLoader([1, 2])).next())
attempt("next2", lambda: next(iter(torch.utils.data.DataLoader([1, 2]))))
attempt("clip", lambda: nn.utils.clip_grad_norm(net.parameters(), 0.25).item() > 0)
attempt("cuda", lambda: Variable(torch.ones(1)).cuda())
attempt("isinstance", lambda: (isinstance(x, Variable), isinstance(x, torch.Tensor), isinstance(torch.ones(1), torch.FloatTensor), type(x)))
attempt("new", lambda: (x.data.new(2, 2).zero_(), x.new_zeros(1), x.data.new([1, 2])))
attempt("type", lambda: (x.type(), x.type("torch.DoubleTensor").dtype, x.long().type(), y.type_as(x).dtype))
attempt("creator", lambda: x.creator)
attempt("saved", lambda: loss.grad_fn.saved_tensors)
attempt("autograd", lambda: torch.autograd.Variable is Variable)
attempt("resize", lambda: torch.arange(4).resize_(2, 2))
attempt("norm", lambda: (x.norm() > 0, x.norm(2, 1).shape))
attempt("scatter", lambda: torch.zeros(3, 4).scatter_(1, torch.LongTensor([[1], [2], [0]]), 1))
attempt("addmm", lambda: torch.addmm(torch.zeros(2), torch.ones(2, 2), torch.ones(2, 2)))
attempt("bernoulli", lambda: torch.bernoulli(torch.Tensor([0.0, 1.0])))
attempt("squeeze", lambda: torch.squeeze(torch.ones(1, 3, 1)).size())
attempt("save", lambda: torch.save(net.state_dict(), buffer))
attempt("load", lambda: net.load_state_dict(torch.load(rewound())))
attempt("params", lambda: [p.size() for p in net.parameters()])
attempt("grad vol", lambda: x.grad)
attempt("state", lambda: list(net.state_dict().keys()))
attempt("repr", lambda: net)
attempt("expand", lambda: torch.Tensor([1, 2]).expand(2, 2).contiguous().view(4))
attempt("numpy", lambda: out.data.numpy().shape)
attempt("bmm", lambda: torch.bmm(torch.ones(1, 2, 3), torch.ones(1, 3, 1)).size())
attempt("index", lambda: x[:, 1].size())
attempt("backward float", lambda: loss.backward(1.0))
