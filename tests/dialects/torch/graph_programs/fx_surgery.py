import torch, operator
import torch.nn as nn
import torch.nn.functional as F
import torch.fx as fx
from torch.fx import symbolic_trace, Interpreter, Transformer, replace_pattern, Graph, GraphModule, Tracer, Proxy, Node, subgraph_rewriter
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 3); self.bn = nn.BatchNorm1d(3); self.drop = nn.Dropout(0.5)
    def forward(self, x):
        return torch.sigmoid(torch.add(self.drop(self.bn(self.fc1(x))), 1.0))
torch.manual_seed(0)
gm = symbolic_trace(Net())
for n in gm.graph.nodes:
    if n.op == "call_function" and n.target == torch.add:
        with gm.graph.inserting_after(n):
            new = gm.graph.call_function(torch.mul, args=(n.args[0], 2.0))
            n.replace_all_uses_with(new)
        gm.graph.erase_node(n)
gm.graph.lint(); gm.recompile()
print(gm.code); print(gm.graph)
gm.delete_all_unused_submodules(); print(gm)
try: gm.graph.erase_node(list(gm.graph.nodes)[0])
except Exception as e: print(type(e).__name__, e)
g = Graph()
x = g.placeholder("x"); y = g.placeholder("y", default_value=2)
z = g.call_function(operator.add, (x, y)); w = g.call_method("relu", (z,)); g.output(w)
print(g); print(g.python_code("self").src)
d = g.call_function(torch.neg, (z,))
try: g.lint()
except Exception as e: print("lint", type(e).__name__, e)
g = Graph(); x=g.placeholder("x"); a = g.call_function(torch.neg, (x,)); b = g.call_function(torch.exp, (x,)); g.output(b)
print(g.eliminate_dead_code(), g)
a = g.create_node("call_function", torch.abs, (b,), name="foo"); print(a.name, a.graph is g, a.next, a.prev)
try:
  g.lint()
except Exception as e: print("lint2", type(e).__name__, e)
g = Graph(); x=g.placeholder("x"); o=g.output(x); 
with g.inserting_before(x): q = g.call_function(torch.abs, (x,))
try: g.lint()
except Exception as e: print("lint3", type(e).__name__, e)
def f(x, w1, w2):
    val1 = torch.neg(w1); m1 = torch.cat([val1, w2]).sum()
    val2 = torch.neg(w1); m2 = torch.cat([val2, w2]).sum()
    return x + torch.max(m1) + torch.max(m2)
t = symbolic_trace(f)
def pattern(w1, w2): return torch.cat([torch.neg(w1), w2]).sum()
def repl(w1, w2): return torch.stack([w1, w2])
ms = replace_pattern(t, pattern, repl)
print(t.code, len(ms), type(ms[0]).__name__, ms[0].anchor, ms[0].nodes_map)
class NegSig(Transformer):
    def call_function(self, target, args, kwargs):
        if target == torch.sigmoid: return torch.neg(*args, **kwargs)
        return super().call_function(target, args, kwargs)
    def call_method(self, target, args, kwargs):
        if target == 'neg':
            s, *rest = args; return s.sigmoid(*rest, **kwargs)
        return super().call_method(target, args, kwargs)
def fn(x): return torch.sigmoid(x).neg()
gm2 = symbolic_trace(fn); tr = NegSig(gm2).transform(); print(tr.code, type(tr))
class I(Interpreter):
    def run_node(self, n):
        r = super().run_node(n); print(n.op, n.name, getattr(r, "shape", r)); return r
print(I(gm2).run(torch.ones(2)))
from torch.fx.passes.shape_prop import ShapeProp
sp = ShapeProp(gm2).propagate(torch.ones(2,3)); 
for n in gm2.graph.nodes: print(n.name, n.meta['tensor_meta'].dtype, n.meta['tensor_meta'].shape, n.meta["tensor_meta"]); 
print(gm2.graph)
print(repr(t.graph.find_nodes(op="call_function", target=torch.max)))
class LeafTracer(Tracer):
    def is_leaf_module(self, m, q): return False
n = nn.Sequential(nn.Linear(4,3), nn.ReLU(), nn.Dropout(0.1)).eval(); tt = LeafTracer(); gr = tt.trace(n); print(gr); print(tt.root is n)
gmm = GraphModule(tt.root, gr, "MyName"); print(gmm)
@fx.wrap
def deco(x): return x*2
def useit(x): return deco(x) + len(x)
fx.wrap("len")
print(symbolic_trace(useit).code)
def ca(x, flag): 
    return x*2 if flag else x*3
print(symbolic_trace(ca, concrete_args={"flag": True}).code)
print(symbolic_trace(lambda x: x.T @ x[:, 0] + x.shape[0]).code)
p = symbolic_trace(ca, concrete_args={"flag": True})
try: print(p(torch.ones(2), False))
except Exception as e: print(type(e).__name__, e)
print(symbolic_trace(lambda *a, **k: a[0] + k["b"]).code)
print(type(gm), gm.__class__, gm.graph.owning_module, type(gm.graph))
nd = list(gm.graph.nodes)[1]; print(nd.args, nd.all_input_nodes, nd.users, nd.kwargs, nd.next, nd.prev); print(str(nd), repr(nd.target))
nd.args = (1,); print(nd.args, list(gm.graph.nodes)[0].users)
print(gm.graph.python_code('self').src)
try:
   gm(torch.ones(2,4))
except Exception as e: print(type(e).__name__, e)
def exc(x): return torch.matmul(x, torch.ones(7,7))
ge = symbolic_trace(exc); print(ge.code, [k for k,_ in ge.named_buffers()], ge)
try: ge(torch.ones(2,2))
except Exception as e: print(type(e).__name__, e)
print(repr(symbolic_trace(nn.Sequential(nn.Linear(2,2), nn.ReLU()))))
print(symbolic_trace(nn.Sequential(nn.Linear(2,2), nn.ReLU())).code)
