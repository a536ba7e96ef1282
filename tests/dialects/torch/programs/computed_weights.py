import torch, torch.nn as nn
import torch.nn.utils as U
import torch.nn.utils.parametrize as P
import warnings
warnings.simplefilter("ignore", FutureWarning)
torch.manual_seed(0)
x = torch.ones(1, 3)
# loaded vectors count, and what is removed has its value of now
a, b = (U.spectral_norm(nn.Linear(3, 2)) for _ in range(2))
for _ in range(3): a(x)
b.load_state_dict(a.state_dict())
print(a.eval()(x), b.eval()(x))
w = U.weight_norm(nn.Linear(3, 2), dim=-1)
with torch.no_grad(): a.weight_orig.mul_(3.); w.weight_g.mul_(3.)
print(U.remove_spectral_norm(a).weight, U.remove_weight_norm(w).weight, list(a.state_dict()))
rnn = U.weight_norm(U.weight_norm(nn.LSTM(2, 2), "weight_ih_l0"), "weight_hh_l0")
U.remove_weight_norm(rnn, "weight_ih_l0")
print([n for n, _ in rnn.named_parameters()], rnn(torch.ones(1, 1, 2))[0])
for wrong in (lambda: U.weight_norm(rnn, "weight_hh_l0"), lambda: U.remove_weight_norm(rnn, "bias")):
    try: wrong()
    except Exception as error: print(type(error).__name__, error)
# the original stays what it was when a second parametrization follows
class Symmetric(nn.Module):
    def forward(self, X): return X.triu() + X.triu(1).T
    def right_inverse(self, A): return A.triu()
class Double(nn.Module):
    def forward(self, X): return X * 2
    def right_inverse(self, A): return A / 2
l = nn.Linear(2, 2)
for p in (Symmetric(), Double()): P.register_parametrization(l, "weight", p)
print(l.weight, l.parametrizations.weight.original)
l.weight = torch.eye(2); print(l.parametrizations.weight.original)
# lazy layers keep their parameters, hooks and dtype
m, seen = nn.Sequential(nn.LazyLinear(2), nn.LazyBatchNorm1d()).double(), []
o = torch.optim.SGD(m.parameters(), .1)
m[0].register_forward_hook(lambda *_: seen.append(1)); m.eval()
m(torch.ones(2, 3).double()).sum().backward(); o.step()
print(m, m[0].weight, seen, m[1].training, nn.LazyConv2d(2, 1)(torch.ones(3, 4, 4)).shape)
