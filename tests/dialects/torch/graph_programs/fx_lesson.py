# fx: change a graph: replace ops, fuse, count, transform, profile
import operator, time
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.fx as fx


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, 3)
        self.bn1 = nn.BatchNorm2d(2)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.max_pool2d(x, 2)
        x = torch.flatten(x, 1)
        return F.log_softmax(self.fc(x), dim=1)


torch.manual_seed(1)
net = Net().eval()
gm = fx.symbolic_trace(net)
print(gm.graph)
print(gm.code)


def fuse_conv_bn_eval(conv, bn):
    import copy
    fused = copy.deepcopy(conv)
    scale = bn.weight / torch.sqrt(bn.running_var + bn.eps)
    fused.weight = nn.Parameter(conv.weight * scale.reshape(-1, 1, 1, 1))
    fused.bias = nn.Parameter((conv.bias - bn.running_mean) * scale + bn.bias)
    return fused


modules = dict(gm.named_modules())
for node in gm.graph.nodes:
    if node.op == "call_module" and isinstance(modules[node.target], nn.BatchNorm2d):
        prev = node.args[0]
        setattr(gm, prev.target, fuse_conv_bn_eval(modules[prev.target], modules[node.target]))
        node.replace_all_uses_with(prev)
        gm.graph.erase_node(node)
gm.graph.lint()
gm.recompile()
x = torch.randn(2, 1, 6, 6)
print(torch.allclose(gm(x), net(x), atol=1e-6))
print([n.name for n in gm.graph.nodes])
gm.delete_all_unused_submodules()
print([n for n, _ in gm.named_children()])


class ReluToGelu(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is F.relu:
            return F.gelu(args[0])
        return super().call_function(target, args, kwargs)


changed = ReluToGelu(gm).transform()
print(changed.code)


class Profiler(fx.Interpreter):
    def __init__(self, mod):
        super().__init__(mod)
        self.calls = {}

    def run_node(self, n):
        self.calls[n.op] = self.calls.get(n.op, 0) + 1
        return super().run_node(n)


p = Profiler(changed)
p.run(x)
print(p.calls)


def invert(f):
    inv = {torch.sin: torch.cos, torch.add: torch.sub}
    t = fx.symbolic_trace(f)
    for n in t.graph.nodes:
        if n.op == "call_function" and n.target in inv:
            n.target = inv[n.target]
    t.recompile()
    return t


g = invert(lambda x: torch.add(torch.sin(x), 1.0))
print(g.code, g(torch.zeros(2)))


def f(x, w1, w2):
    a = torch.cat([w1, w2]).sum()
    return x + a.max()


t = fx.symbolic_trace(f)
matches = fx.replace_pattern(t, lambda a, b: torch.cat([a, b]).sum(), lambda a, b: torch.stack([a, b]).mean())
print(len(matches), t.code)
new = fx.Graph()
a = new.placeholder("a")
with new.inserting_after(a):
    b = new.call_function(torch.neg, (a,))
c = new.call_function(operator.add, (a, b))
new.output({"sum": c, "neg": b})
m = fx.GraphModule(nn.Module(), new)
print(m(torch.ones(2)), m.graph)
with new.inserting_before(c):
    d = new.call_method("abs", (b,))
c.args = (a, d)
print(list(new.nodes), b.users, d.all_input_nodes)
