import torch, torch.nn as nn
from torch.nn.utils.parametrizations import weight_norm, spectral_norm
import torch.nn.utils.parametrize as parametrize
torch.manual_seed(0)
m=weight_norm(nn.Linear(3,4)); print(m); print(list(m.state_dict())); print(parametrize.is_parametrized(m))
x=torch.randn(2,3); print(m(x).detach())
s=spectral_norm(nn.Linear(3,4)); print(s); print({k:tuple(v.shape) for k,v in s.state_dict().items()}); print(s(x).detach()); s.eval(); print(s(x)); print(s.weight)
class Sym(nn.Module):
    def forward(self,X): return X.triu()+X.triu(1).transpose(-1,-2)
    def right_inverse(self, A): return A.triu()
l=nn.Linear(3,3); parametrize.register_parametrization(l,"weight",Sym()); print(l); print(l.weight, l.parametrizations.weight.original)
print([n for n,_ in l.named_parameters()], type(l), l.parametrizations.weight[0])
l.weight=torch.ones(3,3); print(l.parametrizations.weight.original)
with parametrize.cached(): print(l.weight is l.weight)
parametrize.remove_parametrizations(l,"weight"); print(l, l.weight, type(l))

import copy
twin = copy.deepcopy(m)
twin.load_state_dict({k: torch.ones_like(v) for k, v in m.state_dict().items()})
print(type(twin).__name__, twin.weight.detach(), torch.equal(twin.weight, m.weight))
for wrong in (lambda: parametrize.register_parametrization(l, "nothing", Sym()), lambda: parametrize.remove_parametrizations(l, "weight")):
    try: wrong()
    except ValueError as error: print(error)
